/** What is typed for an answer, as data: one key a write, each with what must be on the screen just before it. Pure. */
import { legalValue, type Reply } from "../../model/reply.js";
import { rejection, type Rejection } from "../../model/rejection.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { View } from "../../sdk/view.js";
import { answerBytes, ENTER, ESCAPE, isOneKey } from "./bytes.js";
import { planCheckList, planChoice } from "./list-plan.js";
import { planText, planTyped } from "./text-plan.js";

/** What the live screen must show at the instant of a write; what is absent is not looked at. */
export interface Expected {
  /**
   * `same`: the raised prompt, by fingerprint. `same_but_text`: it, with text in its field (labels of text rows may differ).
   * `unread`: an unread screen has no identity once text stands on it; only the echo, and that no dialog is read there.
   * `typed`: the line of the question with exactly the text of the write before behind it, and the cursor still there.
   * `{ rule }`: the dialog that the key before this one had to bring up.
   * `composer`: nothing is asked, the tool is idle, and its composer is empty, or, with an `echo`, holds that text.
   */
  readonly identity:
    "same" | "same_but_text" | "unread" | "composer" | { readonly typed: string } | { readonly rule: string };
  /** 1-based choice that must be highlighted. */
  readonly highlighted?: number;
  /** Ticks as they must be by now, the one that the write before had to set or clear among them. */
  readonly ticked?: readonly Tick[];
  /** The choice whose row must have changed because its text field opened. */
  readonly opened?: number;
  /** Exactly this text must stand in the field of the question. */
  readonly field?: string;
  /** This text must have appeared since the write before. */
  readonly echo?: string;
}

export interface Tick {
  /** 1-based. */
  readonly choice: number;
  readonly on: boolean;
}

export interface InputStep {
  /** Exactly what is written, in one write. */
  readonly keys: string;
  /** Also the foreseen effect of the step before. */
  readonly requires: Expected;
  /** The tool may act on this key at once: then the answer is given, and no further step follows. */
  readonly mayAnswer?: true;
  /** This key answers; what follows are words that go with the answer. */
  readonly answers?: true;
}

/** How the effect of the last step shows, besides the prompt leaving the screen. */
export type Effect =
  | { readonly kind: "leaves" }
  /** Or the same question is asked in another row. */
  | { readonly kind: "leaves_row" }
  /** Typed on a line: the same question may be asked again below the typed answer. */
  | { readonly kind: "line_taken"; readonly typed: string }
  /** Typed for a tool that draws the line itself: it moves on, or draws the line anew. */
  | { readonly kind: "line_left"; readonly typed: string }
  /** Text in a field: the field may stay, emptied; while the text provably stands in it, Enter may be sent again. */
  | { readonly kind: "field_empties"; readonly text: string }
  /** Text in the tool's composer, where nothing is asked. */
  | { readonly kind: "composer_empties"; readonly text: string };

export interface Plan {
  /** At least one. Only the last write commits the answer, or one that `mayAnswer` or `answers`; no other can. */
  readonly steps: readonly InputStep[];
  readonly effect: Effect;
  /** The tool is expected to end with this answer. */
  readonly endsTool: boolean;
}

export function isPlan(planned: Plan | Rejection): planned is Plan {
  return "steps" in planned;
}

/** The steps that put `reply` into `candidate` as `view` shows it now, or why it cannot be done there. Never a guess. */
export function planAnswer(candidate: Candidate, view: View, reply: Reply): Plan | Rejection {
  const planned = planBare(candidate, view, reply);
  // Behind what somebody has begun to type it would be another answer.
  return isPlan(planned) && candidate.hasDraft ? rejection("typing") : planned;
}

function planBare(candidate: Candidate, view: View, reply: Reply): Plan | Rejection {
  if (reply.newlinePolicy === "replace" && candidate.promptType !== "unknown")
    return planDeclaredKey(candidate, reply.value);
  const legality = legalValue(candidate, reply.value, reply.text);
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
      return rejection("secret");
  }
}

/** `y` is choice 1 and `n` choice 2; an adapter that says otherwise about their intents is not believed. */
function planYesNo(candidate: Candidate, view: View, reply: Reply): Plan | Rejection {
  const index = reply.value === "y" ? 1 : 2;
  const intent = candidate.choices[index - 1]?.intent ?? "other";
  const wrong = reply.value === "y" ? "reject" : "allow";
  if (intent.startsWith(wrong)) return rejection("no_plan");
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
  if (bytes === null) return rejection("option_unknown");
  const is = (key: string): boolean => isOneKey(key) && Buffer.from(key, "utf8").equals(bytes);
  const index = candidate.choices.findIndex(({ answer }) => answer.by === "key" && is(answer.key));
  if (index >= 0) return oneKey(bytes.toString(), candidate.endsTool.includes(index + 1));
  return rejection("option_unknown");
}

function oneKey(keys: string, endsTool: boolean): Plan {
  return { steps: [{ keys, requires: { identity: "same" } }], effect: { kind: "leaves" }, endsTool };
}
