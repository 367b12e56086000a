/** Converts each event of a tool into the activities that are shown (`driver_stream_filter`). */
import type { ShowRule } from "../../adapter-format/compiled/compiled-headless.js";
import { formatInput } from "../../prompts/content/request-content.js";
import { toArray, getAtPath, isObject, toText, type Json } from "../../../model/data/json.js";
import type { Activity } from "../protocol/activity.js";
import type { ToolCall } from "../protocol/tool-call.js";

const TITLE_LENGTH_MAX = 160;

/** Reads one session's events in order, because the result of a call has only the id of the call. */
export class EventFilter {
  readonly #rules: readonly ShowRule[];
  readonly #calls = new Map<string, ToolCall>();

  constructor(rules: readonly ShowRule[]) {
    this.#rules = rules;
  }

  read(event: Json): Activity[] {
    return this.#rules
      .filter(({ when }) => matchesConditions(when, event))
      .flatMap((rule) => readActivities(rule, event))
      .map((activity) =>
        activity.kind === "call" ? this.#mergeCall(activity.call, activity.before) : activity,
      );
  }

  #mergeCall(call: ToolCall, before: ToolCall | undefined): Activity {
    const { id, status, content, output } = call;
    const known = this.#calls.get(id);
    if (!before) this.#calls.set(id, call);
    if (!before || !known) return { kind: "call", call, before };
    this.#calls.delete(id);
    return { kind: "call", call: { ...known, status, content, output }, before: known };
  }
}

function matchesConditions(conditions: ShowRule["when"], event: Json): boolean {
  return Object.entries(conditions).every(([path, value]) => (getAtPath(path, event) ?? null) === value);
}

function readActivities(rule: ShowRule, event: Json): Activity[] {
  const items = rule.each === null ? [event] : toArray(getAtPath(rule.each, event)).filter(isObject);
  return items
    .filter((item) => matchesConditions(rule.where, item))
    .map((item) => readActivity(rule, item))
    .filter((activity) => activity !== null);
}

function readActivity(rule: ShowRule, item: Json): Activity | null {
  const read = (path: string | null): unknown => (path === null ? undefined : getAtPath(path, item));
  const text = toText(read(rule.text));
  if (text !== null && text !== "") return { kind: "said", by: "agent", text };
  const thought = toText(read(rule.thought));
  if (thought !== null && thought !== "") return { kind: "said", by: "thought", text: thought };
  const message = readWholeText(read(rule.message)).trimEnd();
  if (message !== "") return { kind: "said", by: "agent", text: `${message}\n` };
  const id = toText(read(rule.id)) ?? "";
  const call = toText(read(rule.call));
  if (call !== null) {
    const input = read(rule.input);
    const started = { ...NOTHING, id, title: makeTitle(call, input), name: call, input };
    return { kind: "call", call: { ...started, status: "in_progress" }, before: undefined };
  }
  return rule.result === null
    ? null
    : createEndedCall(id, read(rule.result), rule.failed === true || read(rule.failed) === true);
}

function readWholeText(value: unknown): string {
  if (!Array.isArray(value)) return toText(value) ?? "";
  return value
    .filter(isObject)
    .map(({ text }) => toText(text) ?? "")
    .join("");
}

function createEndedCall(id: string, output: unknown, failed: boolean): Activity {
  const text = readWholeText(output);
  const call: ToolCall = {
    ...NOTHING,
    id,
    title: "",
    status: failed ? "failed" : "completed",
    content: text === "" ? [] : [{ type: "content", content: { type: "text", text } }],
    output,
  };
  return { kind: "call", call, before: { ...call, status: "in_progress", content: [] } };
}

const NOTHING: Omit<ToolCall, "id"> = {
  title: null,
  name: null,
  kind: null,
  status: null,
  content: [],
  locations: [],
  input: undefined,
  output: undefined,
};

function makeTitle(name: string, input: unknown): string {
  if (!isObject(input)) return typeof input === "string" ? cutTitle(`${name}: ${input}`) : name;
  const [leading] = LEADING.filter((field) => typeof input[field] === "string");
  const shownInput = leading === undefined ? formatInput(input, []) : String(input[leading]);
  // The name of a field alone, before a list or a long text, is useless.
  return leading === undefined && /^\w{1,80}:\s{0,8}\n/.test(shownInput)
    ? name
    : cutTitle(`${name}: ${shownInput}`);
}

/** Fields that nearly all agents name in the same way. */
const LEADING = ["command", "cmd", "file_path", "filePath", "path", "url", "pattern", "query", "prompt"];

function cutTitle(text: string): string {
  const [line = ""] = text.replace(/:\s{0,8}$/, "").split("\n", 1);
  return line.length > TITLE_LENGTH_MAX || line.length < text.trimEnd().length
    ? `${line.slice(0, TITLE_LENGTH_MAX)}…`
    : line;
}
