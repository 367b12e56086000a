/** Chooses how an answer is delivered (ADR 13): to the waiting request, or as keys into the drawn dialog. Pure. */
import type { Choice } from "../../model/prompt.js";
import type { Reply } from "../../model/answer/reply.js";
import { createRefusal, type Refusal } from "../../model/answer/refusal.js";
import type { Candidate } from "../../sdk/candidate.js";
import {
  getSource,
  type GivenAnswer,
  type PendingRequest,
  type RequestResult,
  type RequestRoute,
} from "../prompts/pending-request.js";

export type AnswerRouting =
  | { readonly by: RequestRoute; readonly result: RequestResult }
  | { readonly by: "keys"; readonly candidate: Candidate };

export interface RoutingState {
  /** The source of the choices that people saw. */
  readonly stampedBy: "screen" | "request";
  /** Its dialog, while it is on the screen. */
  readonly dialog: Candidate | null;
  /** The request, while the tool waits for it. */
  readonly request: PendingRequest | null;
}

/**
 * A waiting request is answered directly if it can express the choice; a dialog row that it cannot express is chosen in the dialog. A choice
 * of a request that has ended is rejected.
 */
export function chooseRoute(
  { stampedBy, dialog, request }: RoutingState,
  answer: GivenAnswer,
): AnswerRouting | Refusal {
  if (stampedBy === "request") return request ? answerByRequest(request, answer) : createRefusal("withdrawn");
  // Several clients of a server may ask the same, so a dialog that only looks like its request gets keys.
  const same = request && !request.reportsEnd && dialog ? findSameChoice(request, dialog, answer) : null;
  const routed = request && same ? answerByRequest(request, same) : null;
  if (routed && "by" in routed) return routed;
  return dialog ? { by: "keys", candidate: dialog } : createRefusal("withdrawn");
}

function answerByRequest(request: PendingRequest, answer: GivenAnswer): AnswerRouting | Refusal {
  const made = request.answer(answer);
  return "result" in made ? { by: getSource(request).kind, result: made.result } : made;
}

/** The request's choice that certainly does the same as the dialog's row, or null. */
function findSameChoice(
  { prompt: question, undrawnChoices = [] }: PendingRequest,
  drawn: Candidate,
  { value, text }: Pick<Reply, "value" | "text">,
): GivenAnswer | null {
  const row = drawn.constraints.multi ? undefined : drawn.choices[Number(value) - 1];
  if (!row || drawn.promptType !== "multiple_choice" || question.promptType !== "multiple_choice")
    return null;
  const rows = drawn.choices.filter(({ intent }) => intent === row.intent);
  const isSame = (choice: Choice): boolean => {
    if (choice.intent !== row.intent || (text && choice.takesText === undefined)) return false;
    // The intents of other rows do not say what is remembered, only their labels do.
    if (row.intent !== "allow_once" && row.intent !== "reject_once")
      return stripMarks(choice.label) === stripMarks(row.label);
    return rows.length === 1;
  };
  const matching = question.choices.flatMap((choice, at) =>
    !undrawnChoices.includes(at + 1) && isSame(choice) ? [at + 1] : [],
  );
  const [only] = matching;
  if (only === undefined || matching.length > 1) return null;
  return { value: String(only), ...(text !== undefined && { text }) };
}

/** Removes code marks and a key at the end. */
function stripMarks(label: string): string {
  return label.replaceAll("`", "").replace(/ \([a-z]{1,5}\)$/, "");
}
