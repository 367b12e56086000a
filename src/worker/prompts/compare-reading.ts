/** Compares a dialog with the request that it draws (ADR 40). Differences are only counted. */
import type { ChoiceIntent } from "../../model/prompt.js";
import type { Candidate, CandidateChoice } from "../../sdk/candidate.js";
import { normalizeForCompare } from "../detection/layout/fingerprint.js";
import { isUnrecognized } from "../detection/matchers/unrecognized-screen.js";
import type { PendingRequest } from "./pending-request.js";

/**
 * `unread`: no rule describes the dialog. `type`, `class`, `choices`: these were read otherwise. `other`: the dialog on the screen
 * does not show what the request is about. `unseen`: no dialog was found.
 */
export type ReadingDifference = "unread" | "type" | "class" | "choices" | "other" | "unseen";

export type RequestPrompt = PendingRequest["prompt"];

export function compareReading(dialog: Candidate, question: RequestPrompt): readonly ReadingDifference[] {
  if (isUnrecognized(dialog)) return ["unread"];
  const differs: readonly (readonly [ReadingDifference, boolean])[] = [
    ["class", dialog.safetyClass !== question.safetyClass],
    ["type", !hasSameType(dialog, question)],
    ["choices", !hasSameChoices(dialog, question)],
  ];
  return differs.filter(([, isDifferent]) => isDifferent).map(([kind]) => kind);
}

/** A form is drawn page by page, in types of their own. */
function hasSameType(dialog: Candidate, { safetyClass, constraints, promptType }: RequestPrompt): boolean {
  if (constraints.form) return true;
  if (safetyClass !== "question") return ["multiple_choice", "yes_no"].includes(dialog.promptType);
  return (
    dialog.promptType === promptType && (dialog.constraints.multi ?? false) === (constraints.multi ?? false)
  );
}

function hasSameChoices({ choices }: Candidate, question: RequestPrompt): boolean {
  if (question.constraints.form) return true;
  return question.safetyClass === "question"
    ? holdsInOrder(choices, listOptions(question))
    : APPROVALS.every((way) => !offers(question.choices, way) || offers(choices, way));
}

const APPROVALS = ["allow", "reject"] as const;

function offers(choices: readonly { readonly intent: ChoiceIntent }[], way: "allow" | "reject"): boolean {
  return choices.some(({ intent }) => intent.startsWith(way));
}

/** The options of a question without our own rows for other words, and for declining. */
function listOptions({ choices }: RequestPrompt): readonly string[] {
  return choices
    .filter(({ intent, takesText }) => intent === "other" && takesText === undefined)
    .map(({ label }) => label);
}

/** A dialog may have rows of its own beside them. */
function holdsInOrder(choices: readonly CandidateChoice[], options: readonly string[]): boolean {
  const rows = choices.map(({ label }) => normalizeForCompare(label));
  let from = 0;
  return options.every((option) => {
    const at = rows.indexOf(normalizeForCompare(option), from);
    from = at + 1;
    return at >= 0;
  });
}
