/** A request of a server of sessions beside its dialog: what is asked, and how its dialog is known again on the screen. Pure. */
import type { Choice } from "../../../model/prompt.js";
import type { PendingRequest } from "../../prompts/pending-request.js";
import type { Candidate } from "../../../sdk/candidate.js";
import { matchesCall } from "../../prompts/dialog-matches-call.js";
import type { SessionServerCoattach } from "../../adapter-format/compiled/compiled-coattach.js";
import { isObject, toText, type Json } from "../../../model/data/json.js";
import { PERMISSION, permissionAsking, questionAsking, type QUESTION } from "./questions.js";

/** How the dialogs of its requests are known again on the screen. */
export type DrawnSessions = SessionServerCoattach["drawn"];

/** Rules of the dialogs to which "Allow always" and a rejection lead from that of a permission: they ask nothing else. */
export const FOLLOW_UP_RULES: readonly string[] = ["always", "rejection"];

export interface SessionRequest {
  readonly type: typeof PERMISSION | typeof QUESTION;
  readonly request: Json;
  /** Of the call that it is about, where it was told. */
  readonly input: Json | null;
}

/** Null: it cannot be shown or answered whole; its dialog asks. `cwd`: of the tool. */
export function sessionServerAsk(
  { type, request, input }: SessionRequest,
  cwd: string,
  drawn: DrawnSessions,
): PendingRequest | null {
  const asking = type === PERMISSION ? permissionAsking(request, input, cwd) : questionAsking(request, cwd);
  if (!asking || asking.question.content.cut !== null) return null;
  return {
    ...asking,
    source: { kind: "protocol", name: type },
    isDrawnBy: (dialog) =>
      type === PERMISSION
        ? drawsPermission(dialog, request, input, drawn)
        : dialog.safetyClass === "question" && !FOLLOW_UP_RULES.includes(dialog.rule),
    undrawn: type === PERMISSION ? goingOn(asking.question.choices) : [],
    reportsEnd: true,
  };
}

/** The No after which the turn goes on: the dialog's own ends it. */
function goingOn(choices: readonly Choice[]): number[] {
  return choices.flatMap(({ intent, takesText }, at) =>
    intent === "reject_once" && takesText ? [at + 1] : [],
  );
}

/**
 * The server is the tool's alone and tells all that it asks, the oldest first, as its interface shows it: a dialog of the same kind is
 * its drawing unless it shows something else. What is answered is the request, by its id, with what the request itself says.
 */
function drawsPermission(
  dialog: Candidate,
  { permission, metadata }: Json,
  input: Json | null,
  drawn: DrawnSessions,
): boolean {
  // Where the person at the keyboard has gone from it: no question of its own.
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
