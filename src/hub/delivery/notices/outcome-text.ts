/** What people are told became of a prompt: one line a card, true in every state. Pure. */
import { parseForm, type FormField } from "../../../model/answer/form.js";
import type { PromptEvent } from "../../../model/prompt.js";
import type { Receipt, ReceiptBlock } from "../../../model/answer/receipt.js";
import type { WithdrawReason } from "../../../sdk/adapter.js";
import { buttonsOf } from "./buttons.js";

export type SafeText = (text: string) => string;

/** Long labels and texts are cut: an outcome is one line under a card that shows them in full. */
const LABEL_MAX = 60;

/** The answer in words of the card: `Yes`, `2 choices`, `“fix the tests”`. */
export function answerLabel(event: PromptEvent, value: string, safeText: SafeText): string {
  const button = buttonsOf(event).find((plan) => plan.value === value);
  if (button) return clip(safeText(button.choice.label));
  const { multi, form } = event.constraints;
  if (event.promptType === "multiple_choice" && multi) return tickedLabels(event, value, safeText);
  if (form) return formLabel(form, value, safeText);
  return quoteWords(value.replace(/^text:/, ""), safeText);
}

/** A person's own words in one short line. */
export function quoteWords(words: string, safeText: SafeText): string {
  return `“${clip(safeText(words))}”`;
}

function formLabel(form: readonly FormField[], value: string, safeText: SafeText): string {
  const parsed = parseForm(form, value);
  const answers = parsed.ok
    ? parsed.answer.map(([, given]) => (typeof given === "string" ? given : given.join(", ")))
    : [];
  return `“${clip(safeText(answers.join(" · ")))}”`;
}

function tickedLabels(event: PromptEvent, value: string, safeText: SafeText): string {
  if (value === "") return "Nothing ticked";
  const labels = value.split(",").map((index) => event.choices[Number(index) - 1]?.label ?? index);
  return clip(safeText(labels.join(", ")));
}

function clip(text: string): string {
  const characters = [...text.replace(/[\r\n]+/g, " ")];
  return characters.length <= LABEL_MAX
    ? characters.join("")
    : `${characters.slice(0, LABEL_MAX - 1).join("")}…`;
}

/** `label` is the answer in words, `who` the person. */
export function receiptText(label: string, who: string, receipt: Receipt, safeText: SafeText): string {
  if (receipt.stop && receipt.outcome !== "failed")
    return stoppedText(who, receipt.outcome === "answered", receipt.stop, safeText);
  switch (receipt.outcome) {
    case "answered":
      return `✅ ${label}, by ${who}, confirmed`;
    case "uncertain":
      return `❔ ${label}, by ${who}: written, but no proof that it was taken. Look at the terminal.`;
    case "failed":
      return `⚠️ ${label}, by ${who}: not applied (${safeText(receipt.evidence)}). ${untouchedText(receipt)}`;
  }
}

/** Of an agent that has started us: its client has read the answer. Whether the call still waited for it is not seen. */
export function readByClientText(label: string, who: string): string {
  return `📨 ${label}, by ${who}: the agent's client has read it. Whether it still waited for it is not seen.`;
}

/** Two steps, and the truth about each. */
function stoppedText(
  who: string,
  denied: boolean,
  { stopped, evidence }: ReceiptBlock,
  safeText: SafeText,
): string {
  const no = denied ? "denied" : "the no was written, but no proof that it was taken";
  if (!stopped) return `⚠️ By ${who}: ${no}; could not stop (${safeText(evidence)}). Look at the terminal.`;
  return denied
    ? `✅ Denied and stopped, by ${who}: ${safeText(evidence)}`
    : `❔ By ${who}: ${no}; stopped (${safeText(evidence)}). Look at the terminal.`;
}

/** A failed answer may have moved the highlight, set ticks or left a draft: then something was typed, and people are told so. */
function untouchedText({ bytesWritten }: Receipt): string {
  return bytesWritten === 0 ? "Nothing was typed." : "Nothing was confirmed.";
}

/** A session ended in the middle of an answer. */
export function endedInjectionText(label: string, who: string, foreseen: boolean): string {
  return foreseen
    ? `✅ ${label}, by ${who}; the tool ended, as this answer does`
    : `❔ ${label}, by ${who}: the session ended before there was proof that it was taken.`;
}

/** Not "nothing": whoever sits at the terminal may have typed. */
const UNTYPED = "; nothing was typed from here";

/** What happened, and what follows of it where no answer of ours was under way. */
const WITHDRAWN: Readonly<Record<WithdrawReason, readonly [what: string, so: string]>> = {
  answered_locally: ["⌨️ Answered at the terminal", ""],
  answered_elsewhere: ["⚠️ Answered by another program", ", neither from here nor at the terminal"],
  // A program on the tool's terminal may have answered it: what does not pass us is not seen.
  left_screen: ["↩️ The question left the screen", UNTYPED],
  screen_lost: ["🙈 The screen cannot be followed any more", `${UNTYPED}. Look at the terminal.`],
  taken_back: ["↩️ Taken back by the tool", ": it waits for no answer any more"],
  timed_out: ["⌛ Nobody answered in time", "; the tool goes on without an answer"],
  went_on: [
    "⚠️ The tool went on without an answer",
    ": by its own report it is done with what it asked about",
  ],
  session_ended: ["⏹ The session ended", UNTYPED],
  superseded: ["↪️ Replaced by another question", UNTYPED],
};

export function withdrawnText(reason: WithdrawReason): string {
  return WITHDRAWN[reason].join("");
}

/** `text`: why it is over. It was so before the first key of an answer that was on its way. */
export function unappliedText(text: string, label: string, who: string): string {
  return `${text.replace(/\.$/, "")}. “${label}”, by ${who}, was not applied.`;
}

/** It was over while an answer of ours was being put in: we cannot say that nothing was typed. */
export function overtakenText(reason: WithdrawReason, label: string, who: string): string {
  return `${WITHDRAWN[reason][0]} while “${label}”, by ${who}, was being put in`;
}

/** An answer that its worker has not begun to put in: it is stopped, not connected, or busy. */
export function untakenText(label: string, who: string): string {
  return `📨 “${label}”, by ${who}, is on its way; the session has not taken it yet`;
}

export function refusedText(reason: string, safeText: SafeText): string {
  return `⚠️ ${safeText(reason)}`;
}

export const EXPIRED_TEXT = "⌛ Expired; nothing was typed from here";
export const LOST_TEXT = `⏹ AtlasBridge's process for it no longer runs${UNTYPED}. Look at the terminal.`;
export const OUTGROWN_TEXT = "⏹ No longer relayed: answer at the terminal";
export const INNER_SESSION_TEXT = "↪️ Asked by the session that runs inside this one";
