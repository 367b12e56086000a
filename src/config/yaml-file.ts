/** Strict readers of files: a problem names file, line, column, and what was found and expected. */
import * as v from "valibot";
import { isMap, isNode, isScalar, LineCounter, parseDocument, type Document, type Node } from "yaml";
import { AtlasBridgeError, type ErrorCode } from "../model/errors.js";
import { isObject } from "../model/data/json.js";
import { findNearest } from "../model/data/nearest.js";

/** Larger files are a mistake, or hostile. */
const YAML_BYTES_MAX = 1024 * 1024;
const TO_DO = "Correct the file; none of it was applied.";
const PROBLEMS_SHOWN = 8;

type Issue = v.BaseIssue<unknown>;

/** Errors: `code`, with every problem and its position. */
export function parseYaml<S extends v.GenericSchema>(
  text: string,
  file: string,
  schema: S,
  code: ErrorCode,
): v.InferOutput<S> {
  const { value, locate } = readValue(text, file, code);
  return checkValue(value, schema, { code, hint: TO_DO, locate });
}

interface Problem {
  /** The keys to where it is, from the outside in. */
  readonly keys: readonly unknown[];
  /** With file, line and column. */
  readonly message: string;
  /** An unknown key, or keys or a list where something else belongs: it may have been meant for any other section. */
  readonly isMisplaced: boolean;
}

export interface SectionProblem extends Omit<Problem, "keys"> {
  /** The keys of the section, from the outside in. */
  readonly section: readonly string[];
}

export interface SectionRules {
  readonly code: ErrorCode;
  /** The section of a key that is given by its path; empty for the file as a whole. */
  readonly findSection: (keys: readonly string[]) => readonly string[];
}

/** A section with a mistake is named, and counts as missing; the others count. Errors: `code` where the file as a whole cannot be read. */
export function parseSections<S extends v.GenericSchema>(
  text: string,
  file: string,
  schema: S,
  { code, findSection }: SectionRules,
): { value: v.InferOutput<S>; problems: readonly SectionProblem[] } {
  const { value, locate } = readValue(text, file, code);
  const problems = listProblems(value, schema, locate).map(({ keys, ...problem }) => ({
    section: findSection(keys.map(String)),
    ...problem,
  }));
  for (const { section } of problems) removeKey(value, section);
  return { value: checkValue(value, schema, { code, hint: TO_DO, locate }), problems };
}

function removeKey(value: unknown, [key, ...rest]: readonly string[]): void {
  if (key === undefined || !isObject(value)) return;
  if (rest.length > 0) removeKey(value[key], rest);
  else Reflect.deleteProperty(value, key);
}

function readValue(
  text: string,
  file: string,
  code: ErrorCode,
): { value: unknown; locate: ValueErrors["locate"] } {
  const { document, lines } = parseText(text, file, code);
  return {
    value: resolveValue(document, file, code) ?? {},
    locate: (keys, issue) => `${file}:${formatPosition(lines, findOffset(document, keys, issue))}`,
  };
}

export interface ValueErrors {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly locate: (keys: readonly unknown[], issue: Issue) => string;
}

/** Checks a parsed value. Errors: `code`, with every problem and its key. */
export function checkValue<S extends v.GenericSchema>(
  value: unknown,
  schema: S,
  { code, hint, locate }: ValueErrors,
): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw createProblemError(code, listProblems(value, schema, locate), hint);
}

export function createProblemError(
  code: ErrorCode,
  problems: readonly Pick<Problem, "message">[],
  hint = TO_DO,
): AtlasBridgeError {
  const shown = problems.slice(0, PROBLEMS_SHOWN).map(({ message }) => message);
  return new AtlasBridgeError(code, shown.join("\n"), { hint });
}

function listProblems(value: unknown, schema: v.GenericSchema, locate: ValueErrors["locate"]): Problem[] {
  const { issues = [] } = v.safeParse(schema, value);
  return issues
    .flatMap((issue) => findInnermost(issue, []))
    .map(({ issue, keys }) => ({
      keys,
      message: `${locate(keys, issue)}: ${describe(issue, keys, schema)}`,
      isMisplaced: isUnknownKey(issue) || isWrongKind(issue),
    }));
}

/** Errors: `code` with the position of the first mistake in the YAML itself, whatever it says. */
export function requireYaml(text: string, file: string, code: ErrorCode): void {
  parseText(text, file, code);
}

function parseText(text: string, file: string, code: ErrorCode): { document: Document; lines: LineCounter } {
  if (Buffer.byteLength(text) > YAML_BYTES_MAX) {
    throw new AtlasBridgeError(code, `${file}: larger than ${YAML_BYTES_MAX} bytes`, {
      hint: "Is it the right file?",
    });
  }
  const lines = new LineCounter();
  // Against alias bombs; our files need few aliases.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [error] = document.errors;
  if (error)
    throw new AtlasBridgeError(
      code,
      `${file}:${formatPosition(lines, error.pos[0])}: ${describeParseError(error)}`,
      {
        hint: TO_DO,
      },
    );
  return { document, lines };
}

/** The recursive parser reports a stack overflow as a mistake. */
function describeParseError({ message }: Error): string {
  return /call stack/i.test(message) ? "nested too deeply to be read" : shorten(message);
}

const FOUND_CHARACTERS_MAX = 160;

function shorten(text: string): string {
  return text.length > FOUND_CHARACTERS_MAX ? `${text.slice(0, FOUND_CHARACTERS_MAX)}…` : text;
}

/** Unknown aliases and alias bombs are detected here. */
function resolveValue(document: Document, file: string, code: ErrorCode): unknown {
  try {
    return document.toJS() as unknown;
  } catch (cause) {
    throw new AtlasBridgeError(code, `${file}: an alias (*name) cannot be resolved`, {
      hint: "Write the value out.",
      cause,
    });
  }
}

function formatPosition(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${line}:${col}`;
}

interface FoundIssue {
  readonly issue: Issue;
  readonly keys: readonly unknown[];
}

/** Where several kinds of value are allowed, the problem inside the given kind helps more than "none matches". */
function findInnermost(issue: Issue, above: readonly unknown[]): FoundIssue[] {
  const keys = [...above, ...(issue.path ?? []).map((item) => item.key)];
  const inner = (issue.issues ?? []).filter((each) => each.path || !isOtherKind(each));
  return inner.length > 0 ? inner.flatMap((each) => findInnermost(each, keys)) : [{ issue, keys }];
}

/** A number where text is also allowed; but not a word outside a list of known words. */
function isOtherKind({ kind, type }: Issue): boolean {
  return kind === "schema" && type !== "picklist";
}

function describe(issue: Issue, keys: readonly unknown[], schema: v.GenericSchema): string {
  const path = keys.map(String).join(".");
  if (isUnknownKey(issue)) return describeUnknownKey(path, String(keys.at(-1)), listKnownKeys(schema, keys));
  if (issue.received === "undefined") return `"${path}" is missing`;
  return `"${path || "the file"}": ${describeIssue(issue)}`;
}

/** A self-explanatory message needs no received value; for a whole section "Object" would not help either. */
function describeIssue(issue: Issue): string {
  const { received, expected, input } = issue;
  if (received === "" || (expected === null && typeof input === "object")) return issue.message;
  const meant = findMeantWord(issue);
  const help = meant === null ? "" : `; did you mean ${meant}?`;
  return `${describeExpected(issue)}found ${shorten(received)}${help}`;
}

/** A regular expression is not shown to people: its message describes it. */
function describeExpected({ type, expected, message }: Issue): string {
  // Our own messages say more than a type's name.
  if (message.startsWith("expected ")) return `${message}, `;
  return expected !== null && type !== "regex" ? `expected ${expected}, ` : `${message}; `;
}

/** The nearest of the allowed words. `yes` and `off` were booleans before YAML 1.2. */
function findMeantWord({ type, expected, input }: Issue): string | null {
  if (typeof input !== "string") return null;
  if (type === "boolean")
    return /^(?:y|yes|on)$/i.test(input) ? "true" : /^(?:no?|off)$/i.test(input) ? "false" : null;
  if (type !== "picklist" && type !== "variant") return null;
  const known = [...(expected ?? "").matchAll(/"([^"]{1,64})"/g)].map(([, word = ""]) => word);
  const meant = findNearest(input, known);
  return meant === null ? null : `"${meant}"`;
}

function isUnknownKey(issue: Issue): boolean {
  return issue.type === "strict_object" && issue.expected === "never";
}

function isWrongKind({ kind, input }: Issue): boolean {
  return kind === "schema" && input !== null && typeof input === "object";
}

function describeUnknownKey(path: string, key: string, known: readonly string[]): string {
  const meant = findNearest(key, known);
  return `unknown key "${shorten(path)}"; ${meant ? `did you mean "${meant}"?` : `known keys: ${known.join(", ")}`}`;
}

/** The allowed keys at the unknown key's position: the schema is walked down the same path. */
function listKnownKeys(schema: v.GenericSchema, keys: readonly unknown[]): string[] {
  let layers: unknown[] = [schema];
  for (const key of keys.slice(0, -1)) layers = layers.flatMap((layer) => listChildren(layer, key));
  return [...new Set(layers.flatMap(unwrap).flatMap((layer) => Object.keys(layer.entries ?? {})))];
}

interface SchemaShape {
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly wrapped?: unknown;
  readonly options?: readonly unknown[];
  readonly item?: unknown;
  readonly value?: unknown;
}

function listChildren(schema: unknown, key: unknown): unknown[] {
  return unwrap(schema).flatMap((layer) =>
    [layer.entries?.[String(key)], layer.item, layer.value].filter(Boolean),
  );
}

function unwrap(schema: unknown): SchemaShape[] {
  if (!schema || typeof schema !== "object") return [];
  const layer = schema as SchemaShape;
  if (layer.wrapped) return unwrap(layer.wrapped);
  // A picklist's options are words, a union's are schemas.
  if (Array.isArray(layer.options)) return (layer.options as unknown[]).flatMap(unwrap);
  return [layer];
}

/** The position of the problem: the key itself if it is unknown, otherwise the value, otherwise its nearest parent. */
function findOffset(document: Document, keys: readonly unknown[], issue: Issue): number {
  for (let depth = keys.length; depth > 0; depth--) {
    const path = keys.slice(0, depth);
    const key = findKeyNode(document, path);
    const value: unknown = document.getIn(path, true);
    const node = isUnknownKey(issue) && depth === keys.length ? key : isNode(value) ? value : key;
    if (node?.range) return node.range[0];
  }
  return 0;
}

function findKeyNode(document: Document, path: readonly unknown[]): Node | null {
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return null;
  const pair = parent.items.find(
    (item) => isScalar(item.key) && String(item.key.value) === String(path.at(-1)),
  );
  return pair && isNode(pair.key) ? pair.key : null;
}
