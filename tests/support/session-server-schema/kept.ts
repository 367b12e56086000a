/** What opencode's own document says of its server: whether a request of ours, or an event of its, is as it says, and values that are. */
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { fullest, smallest, type Schema } from "../schema-instances.js";
import { keptExcerpt, type Operation } from "./excerpt.js";

const { operations, definitions } = keptExcerpt();
export const DEFINITIONS = definitions;

/** All that can be requested, by method and path (`GET /session/{sessionID}`). */
export const OPERATIONS: readonly string[] = Object.keys(operations);

export interface HeldRequest {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly body: string;
  readonly contentType?: string | undefined;
}

/** Which of them this is; null: none. */
export function findOperation({ method, url }: Pick<HeldRequest, "method" | "url">): string | null {
  const { pathname } = new URL(url, "http://127.0.0.1");
  return OPERATIONS.find((name) => matchPath(name, method, pathname) !== null) ?? null;
}

/** Null when the request is one that the document has; else what is wrong with it. */
export function requestProblem(request: HeldRequest): string | null {
  const { method, url } = request;
  const name = findOperation(request);
  const held = operations[name ?? ""];
  if (name === null || !held) return `there is no ${method} ${url}`;
  const wrong = [...parameterProblems(name, held, request), ...bodyProblems(held, request)];
  return wrong.length === 0 ? null : `${name}: ${wrong.join(", ")}`;
}

/** What the server may answer with such a status: the least, … */
export function leastAnswer(name: string, status: string): unknown {
  return smallest(answerSchema(name, status), DEFINITIONS);
}

/** … and that and the most in each kind. */
export function makeAnswers(name: string, status: string, kinds: number): readonly unknown[] {
  return [leastAnswer(name, status), ...fullest(answerSchema(name, status), DEFINITIONS, kinds)];
}

/** The statuses that an answer may have. */
export function listStatuses(name: string): readonly string[] {
  return Object.keys(operations[name]?.responses ?? {});
}

/** Every event, by its type. */
export const EVENTS: Readonly<Record<string, Schema>> = Object.fromEntries(
  (DEFINITIONS["Event"] as { readonly anyOf: readonly { readonly $ref: string }[] }).anyOf.map((schema) => {
    const { type } = smallest(schema, DEFINITIONS) as { readonly type: string };
    return [type, schema];
  }),
);

/** Null when the value is what the document says of this name; else what is wrong. */
export function problem(name: string, value: unknown): string | null {
  return problemWith({ $ref: `#/definitions/${name}` }, value);
}

/** Null when this may be answered with such a status; else what is wrong. */
export function answerProblem(name: string, status: string, value: unknown): string | null {
  return problemWith(answerSchema(name, status), value);
}

function answerSchema(name: string, status: string): Schema {
  return schemaIn(operations[name]?.responses[status]?.content) ?? { type: "null" };
}

function schemaIn(content: Operation["responses"][string]["content"]): Schema | undefined {
  return content?.["application/json"]?.schema;
}

/** The parts of the path that its parameters stand for; null: it is another path. */
function matchPath(name: string, method: string, pathname: string): Record<string, string> | null {
  const [own, path = ""] = name.split(" ");
  const [parts, given] = [path.split("/"), pathname.split("/")];
  if (own !== method || parts.length !== given.length) return null;
  const found: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    const [, parameter] = /^\{(\w+)\}$/.exec(part) ?? [];
    const value = given[at] ?? "";
    if (parameter !== undefined && value !== "") found[parameter] = decodeURIComponent(value);
    else if (part !== value) return null;
  }
  return found;
}

function parameterProblems(
  name: string,
  { parameters = [] }: Operation,
  { method, url }: HeldRequest,
): string[] {
  const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
  const inPath = matchPath(name, method, pathname) ?? {};
  const inQuery = Object.fromEntries(searchParams);
  const unknown = [...searchParams.keys()].filter(
    (key) => !parameters.some((each) => each.in === "query" && each.name === key),
  );
  const wrong = parameters.flatMap(({ name: key, in: place, required, schema }) => {
    const value = (place === "path" ? inPath : inQuery)[key];
    if (value === undefined) return required === true ? [`${key} is missing`] : [];
    return problemWith(schema, value) ?? [];
  });
  return [...unknown.map((key) => `nobody knows ${key}`), ...wrong];
}

function bodyProblems({ requestBody }: Operation, { body, contentType }: HeldRequest): string[] {
  const schema = schemaIn(requestBody?.content);
  if (schema === undefined) return body === "" ? [] : ["it takes no body"];
  if (body === "") return requestBody?.required === true ? ["its body is missing"] : [];
  if (contentType !== "application/json") return [`its body is no ${contentType ?? "unknown thing"}`];
  const wrong = problemWith(schema, JSON.parse(body));
  return wrong === null ? [] : [wrong];
}

const validator = new AjvJsonSchemaValidator();
const compiled = new Map<string, ReturnType<typeof validator.getValidator>>();

function problemWith(schema: Schema, value: unknown): string | null {
  const key = JSON.stringify(schema);
  const whole: unknown = { definitions, allOf: [schema] };
  const check = compiled.get(key) ?? validator.getValidator(whole as never);
  compiled.set(key, check);
  const checked = check(value);
  return checked.valid ? null : checked.errorMessage;
}
