/** The time limit of a prompt that people see. */
import { WITHDRAW_GRACE_MS } from "../../../model/answer/answer-by.js";
import type { PromptRow } from "../../store/tables/prompts.js";

export function isRefusedLate({
  event: { constraints },
  deadlineAt,
}: Pick<PromptRow, "event" | "deadlineAt">) {
  return constraints.refusedLate === true && constraints.answerBy !== undefined && deadlineAt !== null;
}

/** Null: for ever. Of what its tool waits for (`answerBy`) the tool's own limit, as the wall clock stands now. */
export function findShownEnd({
  event: { constraints },
  deadlineAt,
}: Pick<PromptRow, "event" | "deadlineAt">): number | null {
  if (deadlineAt === null || constraints.answerBy === undefined) return deadlineAt;
  return deadlineAt - WITHDRAW_GRACE_MS;
}
