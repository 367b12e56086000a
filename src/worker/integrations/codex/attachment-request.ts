/** A request of an app server beside its dialog: what is asked, and how its dialog is known again on the screen. Pure. */
import type { PendingRequest } from "../../prompts/pending-request.js";
import type { Candidate } from "../../../sdk/candidate.js";
import { matchesCall } from "../../prompts/dialog-matches-call.js";
import { questionsIn } from "../../prompts/content/request-questions.js";
import type { AppServerCoattach } from "../../adapter-format/compiled/compiled-coattach.js";
import type { DrawnTest } from "../../adapter-format/compiled/compiled-hooks.js";
import { normalizeForCompare } from "../../detection/layout/fingerprint.js";
import { arrayOf, isObject, textOf, type Json } from "../../../model/data/json.js";
import { appServerAsking, COMMAND_APPROVAL, FILE_APPROVAL, USER_INPUT } from "./questions.js";

/** What is asked beside these (forms of servers, wider permissions) is answered in its dialog. */
const JOINED: readonly string[] = [COMMAND_APPROVAL, FILE_APPROVAL, USER_INPUT];

/** A tool asks one after the other. */
export const OPEN_MAX = 16;

export interface ServerRequest {
  readonly method: string;
  readonly params: Json;
  /** What was told of what it is about; null: nothing. */
  readonly item: Json | null;
}

/** Null: it cannot be shown or answered whole; its dialog asks. `cwd`: of the tool. */
export function appServerAsk(
  request: ServerRequest,
  cwd: string,
  drawn: AppServerCoattach["drawn"],
): PendingRequest | null {
  const { method, params, item } = request;
  const asking = JOINED.includes(method) ? appServerAsking(method, params, item, cwd) : null;
  // Of edits that were told before we joined nobody tells again: the dialog shows at least a part of them.
  if (!asking || asking.question.content.cut !== null) return null;
  // A command of megabytes is made ready once, not for every dialog, and not at all where there is none.
  let inputs: readonly Json[] | null = null;
  return {
    ...asking,
    source: { kind: "protocol", name: method },
    isDrawnBy: (dialog) => {
      if (method === USER_INPUT) return drawsQuestions(dialog, params);
      const host = hostIn(params);
      if (host !== null) return drawsHost(dialog, host);
      const test = method === COMMAND_APPROVAL ? drawn.command : drawn.edits;
      inputs ??= inputsOf(request, test);
      return inputs.some((input) => matchesCall(dialog, { ...NO_QUESTIONS, drawn: test, input }));
    },
    reportsEnd: true,
  };
}

/** What is drawn in rows is compared without blanks: who has none is soon compared. */
function inputsOf({ method, params, item }: ServerRequest, { by }: DrawnTest): readonly Json[] {
  const ready = by === "rows" ? normalizeForCompare : (text: string): string => text;
  if (method !== COMMAND_APPROVAL) return [{ edits: ready(editsText(item)) }];
  return [...new Set(commandTexts(params).map(ready))].map((command) => ({ command }));
}

/** Access to the network is asked for with its host alone, in the question; the command is not drawn. */
function hostIn({ networkApprovalContext: asked }: Json): string | null {
  return isObject(asked) ? textOf(asked["host"]) : null;
}

function drawsHost(dialog: Candidate, host: string): boolean {
  const asked = { ...dialog, content: { ...dialog.content, text: "" } };
  const input = { host: JSON.stringify(host) };
  return matchesCall(asked, { ...NO_QUESTIONS, drawn: { by: "values" }, input });
}

const NO_QUESTIONS = { questions: [], content: { text: "", cut: null } };

function drawsQuestions(dialog: Candidate, { questions }: Json): boolean {
  const listed = questionsIn({ questions });
  if (listed)
    return matchesCall(dialog, { ...NO_QUESTIONS, questions: listed, drawn: { by: "values" }, input: {} });
  const asked = arrayOf(questions).flatMap((each) => (isObject(each) ? [textOf(each["question"])] : []));
  return asked.some(
    (text) => text !== null && normalizeForCompare(text) === normalizeForCompare(dialog.question),
  );
}

/** As it is run, and as it may be drawn: without the shell around it. */
function commandTexts({ command, commandActions }: Json): string[] {
  const actions = arrayOf(commandActions).flatMap((action) =>
    isObject(action) ? [textOf(action["command"]) ?? ""] : [],
  );
  const whole = textOf(command) ?? "";
  return [whole, script(whole), actions.join("\n")].filter((text) => text !== "");
}

const QUOTED = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs;

/** What stands in the last word of `shell -c 'script'`, its quotes taken off. */
function script(command: string): string {
  const [, quoted = ""] = /^\S{1,200} -l?c (.*)$/s.exec(command) ?? [];
  return quoted.replace(QUOTED, (_, plain?: string, escaped?: string, one?: string) => {
    return plain ?? escaped?.replace(/\\(["\\$`])/g, "$1") ?? one ?? "";
  });
}

/** As an editor marks lines: of a new file all are added, of one that is deleted all are gone. */
function editsText(item: Json | null): string {
  const changes = arrayOf(item?.["changes"]).filter(isObject);
  return changes
    .map(({ path, kind, diff }) => {
      const how = isObject(kind) ? kind["type"] : kind;
      const mark = how === "add" ? "+" : how === "delete" ? "-" : "";
      const lines = (textOf(diff) ?? "").split("\n").map((line) => `${mark}${line}`);
      return [textOf(path) ?? "", ...lines].join("\n");
    })
    .join("\n");
}
