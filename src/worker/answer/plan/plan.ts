/** What is typed for an answer, as data: one key a write, each with what must be on the screen just before it. Pure. */
import { parseLegalValue, type Reply } from "../../../model/answer/reply.js";
import { createRejection, type Rejection } from "../../../model/answer/rejection.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { View } from "../../../sdk/view.js";
import { answerBytes, ENTER, ESCAPE, isOneKey } from "./bytes.js";
import { planCheckList, planChoice } from "./list-plan.js";
import { planText, planTyped } from "./text-plan.js";
import { type Plan, isPlan } from "./plan-steps.js";

/** The steps that put `reply` into `candidate` as `view` shows it now, or why it cannot be done there. Never a guess. */
export function planAnswer(candidate: Candidate, view: View, reply: Reply): Plan | Rejection {
  const planned = planBare(candidate, view, reply);
  // Behind what somebody has begun to type it would be another answer.
  return isPlan(planned) && candidate.hasDraft ? createRejection("typing") : planned;
}

function planBare(candidate: Candidate, view: View, reply: Reply): Plan | Rejection {
  if (reply.newlinePolicy === "replace" && candidate.promptType !== "unknown")
    return planDeclaredKey(candidate, reply.value);
  const legality = parseLegalValue(candidate, reply.value, reply.text);
  if (!legality.ok) return legality.rejection;
  return planLegal(candidate, view, { ...reply, value: legality.value });
}

function planLegal(candidate: Candidate, view: View, reply: Reply): Plan | Rejection {
  switch (candidate.promptType) {
    case "yes_no":
      return planYesNo(candidate, view, reply);
    case "multiple_choice":
      return candidate.constraints.multi
        ? planCheckList(candidate, view, reply.value)
        : planChoice(candidate, view, reply, Number(reply.value));
    case "confirm_enter":
      return oneKey(ENTER, false);
    case "free_text":
      return candidate.textEntry === "typed"
        ? planTyped(candidate, reply.value)
        : planText(candidate, view, reply.value, reply.newlinePolicy);
    case "unknown":
      return planUnread(candidate, view, reply);
    case "secret":
      return createRejection("secret");
  }
}

/** `y` is choice 1 and `n` choice 2; an adapter that says otherwise about their intents is not believed. */
function planYesNo(candidate: Candidate, view: View, reply: Reply): Plan | Rejection {
  const index = reply.value === "y" ? 1 : 2;
  const intent = candidate.choices[index - 1]?.intent ?? "other";
  const wrong = reply.value === "y" ? "reject" : "allow";
  if (intent.startsWith(wrong)) return createRejection("no_plan");
  return planChoice(candidate, view, reply, index);
}

function planUnread(candidate: Candidate, view: View, reply: Reply): Plan | Rejection {
  if (reply.value === "enter") return oneKey(ENTER, false);
  if (reply.value === "esc") return oneKey(ESCAPE, false);
  return planText(candidate, view, reply.value.slice("text:".length), "append");
}

/** The adapter spec's `replace`: an escape string, taken only if it is a key that the adapter declared for this very prompt. */
function planDeclaredKey(candidate: Candidate, value: string): Plan | Rejection {
  const bytes = answerBytes(candidate.promptType, value, "replace");
  if (bytes === null) return createRejection("option_unknown");
  const is = (key: string): boolean => isOneKey(key) && Buffer.from(key, "utf8").equals(bytes);
  const index = candidate.choices.findIndex(({ answer }) => answer.by === "key" && is(answer.key));
  if (index >= 0) return oneKey(bytes.toString(), candidate.endsTool.includes(index + 1));
  return createRejection("option_unknown");
}

function oneKey(keys: string, endsTool: boolean): Plan {
  return { steps: [{ keys, requires: { identity: "same" } }], effect: { kind: "leaves" }, endsTool };
}
