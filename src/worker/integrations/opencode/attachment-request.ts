/** Turns a request of a session server into a pending request: its question, and how to recognize its dialog. Pure. */
import type { Choice } from "../../../model/prompt.js";
import type { PendingRequest } from "../../prompts/pending-request.js";
import type { Candidate } from "../../../sdk/candidate.js";
import { matchesCall } from "../../prompts/dialog-matches-call.js";
import type { SessionServerCoattach } from "../../adapter-format/compiled/compiled-coattach.js";
import { isObject, toText, type Json } from "../../../model/data/json.js";
import type { OpenCodeRequest } from "./client.js";
import { PERMISSION, createPermissionRequest, createQuestionRequest } from "./questions.js";

/** How the dialogs of its requests are recognized on the screen. */
export type DrawnRequests = SessionServerCoattach["drawn"];

/** Rules of the dialogs to which "Allow always" and a rejection lead from that of a permission: they ask nothing else. */
export const FOLLOW_UP_RULES: readonly string[] = ["always", "rejection"];

interface SessionRequest extends Pick<OpenCodeRequest, "type" | "request"> {
  /** The input of the call that it is about, if it was reported. */
  readonly input: Json | null;
}

/** Null: it cannot be shown or answered completely, so its dialog must do. `cwd`: of the tool. */
export function createAttachedRequest(
  { type, request, input }: SessionRequest,
  cwd: string,
  drawn: DrawnRequests,
): PendingRequest | null {
  const pendingRequest =
    type === PERMISSION ? createPermissionRequest(request, input, cwd) : createQuestionRequest(request, cwd);
  if (!pendingRequest || pendingRequest.prompt.content.cut !== null) return null;
  return {
    ...pendingRequest,
    source: { kind: "protocol", name: type },
    matchesDialog: (dialog) =>
      type === PERMISSION
        ? matchesPermission(dialog, request, input, drawn)
        : dialog.safetyClass === "question" && !FOLLOW_UP_RULES.includes(dialog.rule),
    undrawnChoices: type === PERMISSION ? findNoWithoutStop(pendingRequest.prompt.choices) : [],
    reportsEnd: true,
  };
}

/** The No after which the turn goes on: the dialog's own ends it. */
function findNoWithoutStop(choices: readonly Choice[]): number[] {
  return choices.flatMap(({ intent, takesText }, at) =>
    intent === "reject_once" && takesText ? [at + 1] : [],
  );
}

/**
 * The server belongs to the tool alone and reports all requests, oldest first, in the order of its interface: a dialog of the same kind
 * belongs to the request unless it shows something else. The answer goes to the request by its id, with the request's own content.
 */
function matchesPermission(
  dialog: Candidate,
  { permission, metadata }: Json,
  input: Json | null,
  drawn: DrawnRequests,
): boolean {
  // The person at the keyboard went on to a follow-up dialog; it is no question of its own.
  if (FOLLOW_UP_RULES.includes(dialog.rule)) return true;
  if (dialog.promptType !== "unknown" && dialog.safetyClass !== "permission") return false;
  const name = toText(permission) ?? "";
  const test = Object.hasOwn(drawn, name) ? drawn[name] : undefined;
  const whole = { ...input, ...(isObject(metadata) ? metadata : {}) };
  return (
    !test ||
    matchesCall(dialog, { questions: [], drawn: test, input: whole, content: { text: "", cut: null } })
  );
}
