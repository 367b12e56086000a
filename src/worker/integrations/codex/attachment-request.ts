/** Turns a request of an app server into a pending request that recognizes its dialog. Pure. */
import type { PendingRequest } from "../../prompts/pending-request.js";
import type { Candidate } from "../../../sdk/candidate.js";
import { matchesCall } from "../../prompts/dialog-matches-call.js";
import { readQuestions } from "../../prompts/content/request-questions.js";
import type { AppServerCoattach } from "../../adapter-format/compiled/compiled-coattach.js";
import type { DrawnTest } from "../../adapter-format/compiled/compiled-hooks.js";
import { normalizeForCompare } from "../../detection/layout/fingerprint.js";
import { isObject, toArray, toObject, toText, type Json } from "../../../model/data/json.js";
import { createCodexRequest, COMMAND_APPROVAL, FILE_APPROVAL, USER_INPUT } from "./questions.js";

/** Other requests (forms of servers, wider permissions) are answered in their dialogs. */
const HANDLED: readonly string[] = [COMMAND_APPROVAL, FILE_APPROVAL, USER_INPUT];

export const OPEN_MAX = 16;

export interface ServerRequest {
  readonly method: string;
  readonly params: Json;
  readonly item: Json | null;
}

/** Null where it cannot be shown or answered completely, so that only its dialog can answer. */
export function createAttachedRequest(
  request: ServerRequest,
  cwd: string,
  drawn: AppServerCoattach["drawn"],
): PendingRequest | null {
  const { method, params, item } = request;
  const pendingRequest = HANDLED.includes(method) ? createCodexRequest(method, params, item, cwd) : null;
  // Edits that were reported before we attached are not reported again; the dialog shows at least a part of them.
  if (!pendingRequest || pendingRequest.prompt.content.cut !== null) return null;
  // A command may have megabytes, so it is prepared once, and only for a dialog.
  let inputs: readonly Json[] | null = null;
  return {
    ...pendingRequest,
    prompt: nameChoices(pendingRequest),
    source: { kind: "protocol", name: method },
    matchesDialog: (dialog) => {
      if (method === USER_INPUT) return matchesQuestions(dialog, params);
      const host = findHost(params);
      if (host !== null) return matchesHost(dialog, host);
      const test = method === COMMAND_APPROVAL ? drawn.command : drawn.edits;
      inputs ??= collectInputs(request, test);
      return inputs.some((input) => matchesCall(dialog, { ...NO_QUESTIONS, drawn: test, input }));
    },
    reportsEnd: true,
  };
}

/** With letters where the dialog offers fewer choices: its rows have other numbers. */
function nameChoices({ prompt, undrawnChoices = [] }: PendingRequest): PendingRequest["prompt"] {
  if (undrawnChoices.length === 0) return prompt;
  return { ...prompt, constraints: { ...prompt.constraints, lettered: true } };
}

/** Dialogs drawn in rows are compared without blanks. */
function collectInputs({ method, params, item }: ServerRequest, { by }: DrawnTest): readonly Json[] {
  const ready = by === "rows" ? normalizeForCompare : (text: string): string => text;
  if (method !== COMMAND_APPROVAL) return [{ edits: ready(formatEdits(item)) }];
  return [...new Set(listCommandTexts(params).map(ready))].map((command) => ({ command }));
}

/** The dialog for network access shows only the host. */
function findHost({ networkApprovalContext: asked }: Json): string | null {
  return toText(toObject(asked)["host"]);
}

function matchesHost(dialog: Candidate, host: string): boolean {
  const questionOnly = { ...dialog, content: { ...dialog.content, text: "" } };
  const input = { host: JSON.stringify(host) };
  return matchesCall(questionOnly, { ...NO_QUESTIONS, drawn: { by: "values" }, input });
}

const NO_QUESTIONS = { questions: [], content: { text: "", cut: null } };

function matchesQuestions(dialog: Candidate, { questions }: Json): boolean {
  const listed = readQuestions({ questions });
  if (listed)
    return matchesCall(dialog, { ...NO_QUESTIONS, questions: listed, drawn: { by: "values" }, input: {} });
  return toArray(questions).some((each) => {
    const text = toText(toObject(each)["question"]);
    return text !== null && normalizeForCompare(text) === normalizeForCompare(dialog.question);
  });
}

/** The command as it runs, and without the shell around it. */
function listCommandTexts({ command, commandActions }: Json): string[] {
  const actions = toArray(commandActions).map((action) => toText(toObject(action)["command"]) ?? "");
  const whole = toText(command) ?? "";
  return [whole, unwrapScript(whole), actions.join("\n")].filter((text) => text !== "");
}

const QUOTED = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs;

function unwrapScript(command: string): string {
  const [, quoted = ""] = /^\S{1,200} -l?c (.*)$/s.exec(command) ?? [];
  return quoted.replace(QUOTED, (_, plain?: string, escaped?: string, one?: string) => {
    return plain ?? escaped?.replace(/\\(["\\$`])/g, "$1") ?? one ?? "";
  });
}

/** Marks each line of a new file as added, and of a deleted file as removed. */
function formatEdits(item: Json | null): string {
  const changes = toArray(item?.["changes"]).filter(isObject);
  return changes
    .map(({ path, kind, diff }) => {
      const how = isObject(kind) ? kind["type"] : kind;
      const mark = how === "add" ? "+" : how === "delete" ? "-" : "";
      const lines = (toText(diff) ?? "").split("\n").map((line) => `${mark}${line}`);
      return [toText(path) ?? "", ...lines].join("\n");
    })
    .join("\n");
}
