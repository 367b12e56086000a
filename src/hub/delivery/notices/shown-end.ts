/** Until when people are told that a prompt can be answered. */
import type { PromptRow } from "../../store/tables/prompts.js";

/** Normally the worker withdraws a prompt when its tool continues. This limit is for a worker that is gone. */
export const WITHDRAWN_WITHIN_MS = 2_000;

/** Null: for ever. Of what its tool waits for (`answerBy`) the tool's own limit, as the wall clock stands now. */
export function findShownEnd({
  event: { constraints },
  deadlineAt,
}: Pick<PromptRow, "event" | "deadlineAt">): number | null {
  if (deadlineAt === null || constraints.answerBy === undefined) return deadlineAt;
  return deadlineAt - WITHDRAWN_WITHIN_MS;
}
