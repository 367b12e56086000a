/**
 * Which way an answer goes (ADR 13): to the request that waits, or as keys into the dialog that is drawn. One pure
 * decision from what is known at this moment; the receipt names it.
 */
import type { Choice } from "../../model/prompt.js";
import type { Reply } from "../../model/answer/reply.js";
import { createRejection, type Rejection } from "../../model/answer/rejection.js";
import type { Candidate } from "../../sdk/candidate.js";
import {
  sourceOf,
  type GivenAnswer,
  type PendingRequest,
  type RequestResult,
  type RequestRoute,
} from "../prompts/pending-request.js";

export type AnswerRouting =
  | { readonly by: RequestRoute; readonly result: RequestResult }
  | { readonly by: "keys"; readonly candidate: Candidate };

/** What asks, now. */
export interface Sources {
  /** Whose choices people saw. */
  readonly stampedBy: "screen" | "request";
  /** Its dialog, while it is on the screen. */
  readonly drawn: Candidate | null;
  /** The request, while the tool waits for it. */
  readonly request: PendingRequest | null;
}

export function isRoute(routed: AnswerRouting | Rejection): routed is AnswerRouting {
  return "by" in routed;
}

/**
 * A request that waits is answered there and only there, if it can say what was chosen. The row of a dialog that it has no word for is
 * taken on the dialog, and so is every row of one that the request of an attached server was only found to look like. A choice of a request that
 * nobody waits for any more has no row: it is refused.
 */
export function routeOf(
  { stampedBy, drawn, request }: Sources,
  answer: GivenAnswer,
): AnswerRouting | Rejection {
  if (stampedBy === "request") return request ? byRequest(request, answer) : createRejection("withdrawn");
  // Several clients may ask alike, in other folders or of other agents: what was shown is answered where it was seen.
  const same = request && !request.reportsEnd && drawn ? sameChoice(request, drawn, answer) : null;
  const routed = request && same ? byRequest(request, same) : null;
  if (routed && isRoute(routed)) return routed;
  return drawn ? { by: "keys", candidate: drawn } : createRejection("withdrawn");
}

function byRequest(request: PendingRequest, answer: GivenAnswer): AnswerRouting | Rejection {
  const made = request.answer(answer);
  return "result" in made ? { by: sourceOf(request).kind, result: made.result } : made;
}

/** The request's own choice that does exactly what the dialog's row does; null where that is not certain. */
function sameChoice(
  { question, undrawn = [] }: PendingRequest,
  drawn: Candidate,
  { value, text }: Pick<Reply, "value" | "text">,
): GivenAnswer | null {
  const row = drawn.constraints.multi ? undefined : drawn.choices[Number(value) - 1];
  if (!row || drawn.promptType !== "multiple_choice" || question.promptType !== "multiple_choice")
    return null;
  const rows = drawn.choices.filter(({ intent }) => intent === row.intent);
  const isSame = (choice: Choice): boolean => {
    if (choice.intent !== row.intent || (text && choice.takesText === undefined)) return false;
    // What is remembered, and for what, only the label says; an option is its label.
    if (row.intent !== "allow_once" && row.intent !== "reject_once")
      return bare(choice.label) === bare(row.label);
    return rows.length === 1;
  };
  const matching = question.choices.flatMap((choice, at) =>
    !undrawn.includes(at + 1) && isSame(choice) ? [at + 1] : [],
  );
  const [only] = matching;
  if (only === undefined || matching.length > 1) return null;
  return { value: String(only), ...(text !== undefined && { text }) };
}

/** Without the marks of code that a tool may draw around a part of it, and the key that it may name behind it. */
function bare(label: string): string {
  return label.replaceAll("`", "").replace(/ \([a-z]{1,5}\)$/, "");
}
