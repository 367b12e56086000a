/** The state of one tool call of an agent, merged from reports that only name what changed. Tolerates any input. Pure. */
import { formatValue, formatInput } from "../../prompts/content/request-content.js";
import { toArray, isObject, toText, type Json } from "../../../model/data/json.js";
import { diffLines } from "./line-diff.js";

export interface CallLocation {
  readonly path: string | null;
  readonly line: number | null;
}

export interface ToolCall {
  readonly id: string;
  readonly title: string | null;
  readonly name: string | null;
  readonly kind: string | null;
  readonly status: string | null;
  readonly content: readonly Json[];
  readonly locations: readonly CallLocation[];
  readonly input: unknown;
  readonly output: unknown;
}

export function isEnded(call: ToolCall | null | undefined): boolean {
  return call?.status === "completed" || call?.status === "failed";
}

/** Returns null when the report names no call. Fields that it leaves out stay as they were. */
export function mergeToolCall(report: Json, before: ToolCall | undefined): ToolCall | null {
  const id = toText(report["toolCallId"]);
  if (id === null) return null;
  return {
    id,
    title: readText(report["title"], before?.title),
    name: readText(report["name"], before?.name),
    kind: readText(report["kind"], before?.kind),
    status: readText(report["status"], before?.status),
    content: Array.isArray(report["content"]) ? report["content"].filter(isObject) : (before?.content ?? []),
    locations: Array.isArray(report["locations"])
      ? report["locations"].map(readLocation)
      : (before?.locations ?? []),
    input: report["rawInput"] ?? before?.input,
    output: report["rawOutput"] ?? before?.output,
  };
}

function readText(given: unknown, before: string | null | undefined): string | null {
  const text = toText(given);
  return text !== null && text.trim() !== "" ? text : (before ?? null);
}

function readLocation(location: unknown): CallLocation {
  const { path, line } = isObject(location) ? location : {};
  return { path: toText(path), line: typeof line === "number" ? line : null };
}

function describeLocation({ path, line }: CallLocation): string {
  return line === null ? (path ?? "?") : `${path ?? "?"}:${line}`;
}

const NEW_FILE = " (new file)";

/** Describes a call as the text by which a person judges it: its locations, its changes, and its whole input. */
export function describeCall(call: ToolCall): string {
  // A terminal only shows the output of the call, so there is nothing to judge yet.
  const content = call.content.filter(({ type }) => type !== "terminal").map(describeContent);
  // A diff names its file in a line of its own, and a title often as one of its words.
  const named = new Set([
    ...(call.title ?? "").split(/\s/),
    ...content.flatMap((text) => text.split("\n", 1)),
  ]);
  const places = call.locations
    .map(describeLocation)
    .filter((place) => !named.has(place) && !named.has(`${place}${NEW_FILE}`));
  const input = isObject(call.input)
    ? formatInput(removeShown(call.input, content), ["command"])
    : call.input === undefined || call.input === null
      ? ""
      : formatValue(call.input);
  const parts = [places.join("\n"), ...content, input];
  return parts.filter((part) => part !== "").join("\n\n");
}

function removeShown(input: Json, content: readonly string[]): Json {
  const isShown = (value: unknown): boolean =>
    typeof value === "string" && value.includes("\n") && content.includes(value);
  return Object.fromEntries(Object.entries(input).filter(([, value]) => !isShown(value)));
}

/** Describes one content item of a call as text: text, a diff, the name of a terminal. */
export function describeContent(item: Json): string {
  const type = toText(item["type"]);
  if (type === "diff") return describeDiff(item);
  if (type === "terminal") return `(terminal ${toText(item["terminalId"]) ?? "?"})`;
  return type === "content" ? describeBlock(item["content"]) : formatValue(item);
}

export function describeBlock(given: unknown): string {
  if (!isObject(given)) return "";
  const type = toText(given["type"]);
  if (type === "text") return toText(given["text"]) ?? "";
  if (type === "resource_link") return `[${toText(given["name"]) ?? "link"}] ${toText(given["uri"]) ?? ""}`;
  if (type === "resource" && isObject(given["resource"])) {
    const { uri, text } = given["resource"];
    return [`[${toText(uri) ?? "resource"}]`, toText(text) ?? ""].join("\n").trimEnd();
  }
  return `[${type ?? "unknown content"}]`;
}

/** Describes one file before and after (version 1), or any files that change, with a patch where there is one (version 2). */
function describeDiff(item: Json): string {
  const path = toText(item["path"]);
  const after = toText(item["newText"]);
  if (path !== null && after !== null && !("changes" in item) && !("patch" in item)) {
    const before = toText(item["oldText"]);
    const head = before === null ? `${path}${NEW_FILE}` : path;
    return [head, ...diffLines(before ?? "", after)].join("\n");
  }
  const patch = isObject(item["patch"]) ? toText(item["patch"]["text"]) : null;
  const changes = toArray(item["changes"]).map(formatValue);
  const whole = [...(path === null ? [] : [path]), ...changes, patch ?? ""];
  return patch === null ? formatValue(item) : whole.join("\n");
}
