/** Plans an answer: one key a write, each with the screen that it needs. Pure. */
import { parseLegalValue, TEXT_PREFIX, type Reply } from "../../../model/answer/reply.js";
import { isControlKey } from "../../../model/answer/screen-keys.js";
import { createRefusal, type Refusal } from "../../../model/answer/refusal.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { View } from "../../../sdk/view.js";
import { encodeAnswer, encodeNamedKey, ENTER, ESCAPE, isOneKey } from "./bytes.js";
import { planCheckList, planChoice } from "./list-plan.js";
import { planText, planTyped } from "./text-plan.js";
import { type Effect, type Plan, isPlan } from "./plan-steps.js";

export type ViewPlanner = (candidate: Candidate, view: View) => Plan | Refusal;

/** The steps that type `reply` into `candidate` as `view` shows it, or why there are none. Never a guess. */
export function planAnswer(candidate: Candidate, view: View, reply: Reply): Plan | Refusal {
  const planned = planIgnoringDraft(candidate, view, reply);
  // Added to a draft it would be another answer.
  return isPlan(planned) && candidate.hasDraft ? createRefusal("typing") : planned;
}

function planIgnoringDraft(candidate: Candidate, view: View, reply: Reply): Plan | Refusal {
  if (reply.newlinePolicy === "replace" && candidate.promptType !== "unknown")
    return planDeclaredKey(candidate, reply.value);
  const legality = parseLegalValue(candidate, reply.value, reply.text);
  if (!legality.ok) return legality.rejection;
  const planned = planLegal(candidate, view, { ...reply, value: legality.value });
  if (!isPlan(planned) || planned.effect.kind !== "leaves") return planned;
  return { ...planned, effect: { kind: "leaves", chosen: joinChosen(candidate, legality.value) } };
}

function joinChosen({ choices, promptType }: Candidate, value: string): string {
  const readIndex = (part: string): number =>
    promptType === "yes_no" ? "yn".indexOf(part) : Number(part) - 1;
  return value
    .split(",")
    .map((part) => choices[readIndex(part)]?.label ?? "")
    .join(" ");
}

function planLegal(candidate: Candidate, view: View, reply: Reply): Plan | Refusal {
  switch (candidate.promptType) {
    case "yes_no":
      return planYesNo(candidate, view, reply);
    case "multiple_choice":
      return candidate.constraints.multi
        ? planCheckList(candidate, view, reply.value)
        : planChoice(candidate, view, reply, Number(reply.value));
    case "confirm_enter":
      return planNamedKey(reply.value, view, { kind: "leaves" });
    case "free_text":
      return candidate.textEntry === "typed"
        ? planTyped(candidate, reply.value)
        : planText(candidate, view, reply.value, reply.newlinePolicy);
    case "unknown":
      return planUnrecognized(candidate, view, reply);
    case "secret":
      return createRefusal("secret");
  }
}

/** `y` is choice 1 and `n` choice 2. There is no plan for an adapter that gives them opposite intents. */
function planYesNo(candidate: Candidate, view: View, reply: Reply): Plan | Refusal {
  const index = reply.value === "y" ? 1 : 2;
  const intent = candidate.choices[index - 1]?.intent ?? "other";
  const wrong = reply.value === "y" ? "reject" : "allow";
  if (intent.startsWith(wrong)) return createRefusal("no_plan");
  return planChoice(candidate, view, reply, index);
}

function planUnrecognized(candidate: Candidate, view: View, reply: Reply): Plan | Refusal {
  if (!reply.value.startsWith(TEXT_PREFIX)) {
    const isEnding = reply.value === "enter" || reply.value === "esc" || isControlKey(reply.value);
    return planNamedKey(reply.value, view, { kind: isEnding ? "leaves" : "screen_changes" });
  }
  return planText(candidate, view, reply.value.slice(TEXT_PREFIX.length), "append");
}

function planNamedKey(name: string, view: View, effect: Effect): Plan | Refusal {
  const keys = name === "enter" ? ENTER : name === "esc" ? ESCAPE : encodeNamedKey(name, view.modes);
  return keys === null ? createRefusal("option_unknown") : createOneKeyPlan(keys, isControlKey(name), effect);
}

/** The adapter spec's `replace`: an escape string for a key that the adapter declares for a choice of this prompt. */
function planDeclaredKey(candidate: Candidate, value: string): Plan | Refusal {
  const bytes = encodeAnswer(candidate.promptType, value, "replace");
  if (bytes === null) return createRefusal("option_unknown");
  const is = (key: string): boolean => isOneKey(key) && Buffer.from(key, "utf8").equals(bytes);
  const index = candidate.choices.findIndex(({ answer }) => answer.by === "key" && is(answer.key));
  if (index >= 0) return createOneKeyPlan(bytes.toString(), candidate.endsTool.includes(index + 1));
  return createRefusal("option_unknown");
}

function createOneKeyPlan(keys: string, endsTool: boolean, effect: Effect = { kind: "leaves" }): Plan {
  return { steps: [{ keys, expects: { identity: "same" } }], effect, endsTool };
}
