/** Plans as tests look at them. */
import type { RefusalCode } from "../../../../../src/model/answer/refusal.js";
import type { Reply } from "../../../../../src/model/answer/reply.js";
import type { Candidate } from "../../../../../src/sdk/candidate.js";
import type { View } from "../../../../../src/sdk/view.js";
import { planAnswer } from "../../../../../src/worker/answer/plan/plan.js";
import { isPlan, type Plan } from "../../../../../src/worker/answer/plan/plan-steps.js";
import { replyTo, makeView } from "../make.js";

export function planned(candidate: Candidate, reply: Reply, view: View = makeView([])): Plan {
  const plan = planAnswer(candidate, view, reply);
  if (!isPlan(plan)) throw new Error(`no plan: ${plan.code}`);
  return plan;
}

export function keysFor(candidate: Candidate, value: string, text?: string, view?: View): string[] {
  return planned(candidate, replyTo(candidate, value, text), view).steps.map(({ keys }) => keys);
}

export function refusal(
  candidate: Candidate,
  value: string,
  text?: string,
  view: View = makeView([]),
): RefusalCode {
  const plan = planAnswer(candidate, view, replyTo(candidate, value, text));
  if (isPlan(plan)) throw new Error("a plan was made");
  return plan.code;
}
