/** One call of an agent's tool as it is known by now: its reports only name what changed. Tolerant of everything. Pure. */
import { asText, inputText } from "../../prompts/content/request-content.js";
import { arrayOf, isObject, textOf, type Json } from "../../../model/data/json.js";
import { changedLines } from "./line-diff.js";

export interface CallPlace {
  /** Null: it says none. */
  readonly path: string | null;
  readonly line: number | null;
}

export interface ToolCall {
  readonly id: string;
  readonly title: string | null;
  /** The tool's own name, where it is told. */
  readonly name: string | null;
  readonly kind: string | null;
  readonly status: string | null;
  readonly content: readonly Json[];
  readonly locations: readonly CallPlace[];
  readonly input: unknown;
  readonly output: unknown;
}

/** It was carried out, or cannot be. */
export function isEnded(call: ToolCall | null | undefined): boolean {
  return call?.status === "completed" || call?.status === "failed";
}

/** Null when it names no call. What the report leaves out stays as it was; kinds and states that nobody knows are kept as told. */
export function toolCallFrom(report: Json, before: ToolCall | undefined): ToolCall | null {
  const id = textOf(report["toolCallId"]);
  if (id === null) return null;
  return {
    id,
    title: told(report["title"], before?.title),
    name: told(report["name"], before?.name),
    kind: told(report["kind"], before?.kind),
    status: told(report["status"], before?.status),
    content: Array.isArray(report["content"]) ? report["content"].filter(isObject) : (before?.content ?? []),
    locations: Array.isArray(report["locations"])
      ? report["locations"].map(placeOf)
      : (before?.locations ?? []),
    input: report["rawInput"] ?? before?.input,
    output: report["rawOutput"] ?? before?.output,
  };
}

function told(given: unknown, before: string | null | undefined): string | null {
  const text = textOf(given);
  return text !== null && text.trim() !== "" ? text : (before ?? null);
}

function placeOf(location: unknown): CallPlace {
  const { path, line } = isObject(location) ? location : {};
  return { path: textOf(path), line: typeof line === "number" ? line : null };
}

function placeText({ path, line }: CallPlace): string {
  return line === null ? (path ?? "?") : `${path ?? "?"}:${line}`;
}

const NEW_FILE = " (new file)";

/** All of a call that somebody has to judge: where, what changes, and the whole input. */
export function callText(call: ToolCall): string {
  // A terminal shows what comes of the call, and has nothing to show yet but a name.
  const content = call.content.filter(({ type }) => type !== "terminal").map(contentText);
  // A diff names its file in a line of its own, and a title often as one of its words.
  const named = new Set([
    ...(call.title ?? "").split(/\s/),
    ...content.flatMap((text) => text.split("\n", 1)),
  ]);
  const places = call.locations
    .map(placeText)
    .filter((place) => !named.has(place) && !named.has(`${place}${NEW_FILE}`));
  const input = isObject(call.input)
    ? inputText(unshown(call.input, content), ["command"])
    : call.input === undefined || call.input === null
      ? ""
      : asText(call.input);
  const parts = [places.join("\n"), ...content, input];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Of an input what does not stand there whole already: a plan is both, input and content. A short value keeps its name beside it. */
function unshown(input: Json, content: readonly string[]): Json {
  const isShown = (value: unknown): boolean =>
    typeof value === "string" && value.includes("\n") && content.includes(value);
  return Object.fromEntries(Object.entries(input).filter(([, value]) => !isShown(value)));
}

/** What a call has to show for itself: text, a diff, the name of a terminal. */
export function contentText(item: Json): string {
  const type = textOf(item["type"]);
  if (type === "diff") return diffText(item);
  if (type === "terminal") return `(terminal ${textOf(item["terminalId"]) ?? "?"})`;
  return type === "content" ? blockText(item["content"]) : asText(item);
}

/** A content block as text; of pictures, sounds and the like only what they are. */
export function blockText(given: unknown): string {
  if (!isObject(given)) return "";
  const type = textOf(given["type"]);
  if (type === "text") return textOf(given["text"]) ?? "";
  if (type === "resource_link") return `[${textOf(given["name"]) ?? "link"}] ${textOf(given["uri"]) ?? ""}`;
  if (type === "resource" && isObject(given["resource"])) {
    const { uri, text } = given["resource"];
    return [`[${textOf(uri) ?? "resource"}]`, textOf(text) ?? ""].join("\n").trimEnd();
  }
  return `[${type ?? "unknown content"}]`;
}

/** One file before and after (version 1), or any files that change, with a patch of them where there is one (version 2). */
function diffText(item: Json): string {
  const path = textOf(item["path"]);
  const after = textOf(item["newText"]);
  if (path !== null && after !== null && !("changes" in item) && !("patch" in item)) {
    const before = textOf(item["oldText"]);
    const head = before === null ? `${path}${NEW_FILE}` : path;
    return [head, ...changedLines(before ?? "", after)].join("\n");
  }
  const patch = isObject(item["patch"]) ? textOf(item["patch"]["text"]) : null;
  const changes = arrayOf(item["changes"]).map(asText);
  const whole = [...(path === null ? [] : [path]), ...changes, patch ?? ""];
  return patch === null ? asText(item) : whole.join("\n");
}
