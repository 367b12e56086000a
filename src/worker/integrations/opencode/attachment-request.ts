/** Turns a request of a session server into a pending request that recognizes its dialog. Pure. */
import type { PendingRequest } from "../../prompts/pending-request.js";
import type { Candidate } from "../../../sdk/candidate.js";
import { matchesCall } from "../../prompts/dialog-matches-call.js";
import type { SessionServerCoattach } from "../../adapter-format/compiled/compiled-coattach.js";
import { toObject, toText, type Json } from "../../../model/data/json.js";
import type { OpenCodeRequest } from "./client.js";
import { PERMISSION, createPermissionRequest, createQuestionRequest } from "./questions.js";

export type DrawnRequests = SessionServerCoattach["drawn"];

/** Dialogs that follow "Allow always" and a rejection; they are no questions of their own. */
export const FOLLOW_UP_RULES: readonly string[] = ["always", "rejection"];

interface SessionRequest extends Pick<OpenCodeRequest, "type" | "request"> {
  readonly input: Json | null;
}

/** Null where it cannot be shown or answered completely, so that only its dialog can answer. */
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
    reportsEnd: true,
  };
}

/**
 * The server reports its requests in the order in which the tool shows them. So a dialog of the same kind belongs to the request unless
 * it shows something else.
 */
function matchesPermission(
  dialog: Candidate,
  { permission, metadata }: Json,
  input: Json | null,
  drawn: DrawnRequests,
): boolean {
  if (FOLLOW_UP_RULES.includes(dialog.rule)) return true;
  if (dialog.promptType !== "unknown" && dialog.safetyClass !== "permission") return false;
  const name = toText(permission) ?? "";
  const test = Object.hasOwn(drawn, name) ? drawn[name] : undefined;
  const whole = { ...input, ...toObject(metadata) };
  return (
    !test ||
    matchesCall(dialog, { questions: [], drawn: test, input: whole, content: { text: "", cut: null } })
  );
}
