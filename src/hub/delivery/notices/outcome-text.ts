/** The one-line outcome that a card shows. It must be true in every state. Pure. */
import { nameChoice } from "../../../model/answer/choice-names.js";
import { parseForm, type FormField } from "../../../model/answer/form.js";
import type { PromptEvent } from "../../../model/prompt.js";
import type { Receipt, ReceiptBlock } from "../../../model/answer/receipt.js";
import { describeCheck, type AskingSession } from "../../../model/where-to-check.js";
import type { WithdrawReason } from "../../../sdk/adapter.js";
import { planButtons } from "./buttons.js";

export type SafeText = (text: string) => string;

const LABEL_MAX = 60;

export function describeAnswer(event: PromptEvent, value: string, safeText: SafeText): string {
  const button = planButtons(event).find((plan) => plan.value === value);
  const { multi, form, lettered } = event.constraints;
  if (button) return nameLong(safeText(button.choice.label), findNumber(value), lettered);
  if (event.promptType === "multiple_choice" && multi) return describeTicks(event, value, safeText);
  if (form) return describeFormAnswer(form, value, safeText);
  return quoteText(event.promptType === "unknown" ? value.replace(/^text:/, "") : value, safeText);
}

export function quoteText(words: string, safeText: SafeText): string {
  return `“${clip(safeText(words))}”`;
}

function describeFormAnswer(form: readonly FormField[], value: string, safeText: SafeText): string {
  const parsed = parseForm(form, value);
  const answers = parsed.ok
    ? parsed.answer.map(([, given]) => (typeof given === "string" ? given : given.join(", ")))
    : [];
  return `“${clip(safeText(answers.join(" · ")))}”`;
}

function describeTicks(event: PromptEvent, value: string, safeText: SafeText): string {
  if (value === "") return "Nothing ticked";
  const labels = value.split(",").map((index) => event.choices[Number(index) - 1]?.label ?? index);
  return clip(safeText(labels.join(", ")));
}

function findNumber(value: string): number | null {
  if (/^[0-9]{1,3}$/.test(value)) return Number(value);
  return value === "y" || value === "n" ? ["y", "n"].indexOf(value) + 1 : null;
}

/** Two long choices may have the same beginning: their names distinguish them. */
function nameLong(label: string, number: number | null, lettered = false): string {
  const isNamed = number !== null && [...label].length > LABEL_MAX;
  return clip(isNamed ? `${nameChoice(lettered, number)}. ${label}` : label);
}

function clip(text: string): string {
  const characters = [...text.replace(/[\r\n]+/g, " ")];
  return characters.length <= LABEL_MAX
    ? characters.join("")
    : `${characters.slice(0, LABEL_MAX - 1).join("")}…`;
}

export interface AnswerWords {
  readonly label: string;
  readonly who: string;
  readonly tool: string;
  /** Where people should check if there is no proof: see `describeCheck`. */
  readonly check: string;
}

/** "Confirmed" needs an effect that was seen; "taken" needs proof that the tool has read the answer. */
export function describeReceipt(
  { label, who, tool, check }: AnswerWords,
  receipt: Receipt,
  safeText: SafeText,
): string {
  if (receipt.stop && receipt.outcome !== "failed")
    return describeStop({ who, tool, check }, receipt, receipt.stop, safeText);
  const { change } = receipt;
  switch (receipt.outcome) {
    case "answered":
      return `✅ ${label}, by ${who}, ${receipt.proof === "effect" ? "confirmed" : `taken by ${tool}`}${describeChange(change, safeText)}`;
    case "uncertain":
      return change === null
        ? `❔ ${label}, by ${who}: sent to ${tool}; nothing changed on the screen`
        : `❔ ${label}, by ${who}: sent to ${tool}, but not confirmed${describeChange(change, safeText) || `. ${check}`}`;
    case "failed":
      return `⚠️ ${label}, by ${who}: not applied (${safeText(receipt.evidence)}). ${describeUntouched(receipt)}`;
  }
}

function describeChange(change: Receipt["change"], safeText: SafeText): string {
  if (change === undefined || change === null) return "";
  return change === "" ? ". The text left the screen" : `. Now on the screen: “${safeText(change)}”`;
}

/** For an agent's own server: its client has read the answer, and it is unknown whether the call still waited for it. */
export function describeReadByClient(label: string, who: string): string {
  return `📨 ${label}, by ${who}: delivered to the agent's client. It is unknown whether the client still waited for it.`;
}

/** For an agent that asked for permission to type into a console: its process must send the answer before a key is typed. */
export function describeTypingAnswer(label: string, who: string): string {
  return `📨 ${label}, by ${who}. Nothing has been typed so far`;
}

function describeStop(
  { who, tool, check }: Omit<AnswerWords, "label">,
  { outcome, proof }: Receipt,
  { stopped, evidence }: ReceiptBlock,
  safeText: SafeText,
): string {
  const isTaken = outcome === "answered";
  const isSeen = isTaken && proof === "effect";
  const sent = isTaken ? `the denial was taken by ${tool}` : "the denial was sent but not confirmed";
  const no = isSeen ? "denied" : sent;
  if (!stopped) return `⚠️ By ${who}: ${no}; not stopped (${safeText(evidence)}). ${check}`;
  if (isSeen) return `✅ Denied and stopped, by ${who}: ${safeText(evidence)}`;
  if (isTaken) return `✅ By ${who}: ${no}; stopped (${safeText(evidence)})`;
  return `❔ By ${who}: ${no}; stopped (${safeText(evidence)}). ${check}`;
}

/**
 * A failed answer may have moved the highlight, set ticks or left a draft. In that case keys were typed, and people hear of it.
 */
function describeUntouched({ bytesWritten }: Receipt): string {
  return bytesWritten === 0 ? "Nothing was typed." : "Nothing was confirmed.";
}

/** For a session that ended in the middle of an answer. `ended`: see `ENDED`. */
export function describeEndedInjection(
  { label, who, check }: Omit<AnswerWords, "tool">,
  foreseen: boolean,
  ended: string,
): string {
  return foreseen
    ? `✅ ${label}, by ${who}. The tool exited, as this answer requests`
    : `❔ ${label}, by ${who}: ${ended} before the answer was confirmed. ${check}`;
}

/** The known end of a session, for answers and tasks in progress. A tool may outlive the lost process. */
export const ENDED = {
  closed: "the session ended",
  lost: "AtlasBridge's process for this session exited",
  outgrown: "the session stopped being relayed",
} as const;

const UNTYPED = "; AtlasBridge typed nothing";

/** `what` happened, and `so`: what follows if no answer was being typed. */
const WITHDRAWN: Readonly<Record<WithdrawReason, readonly [what: string, so: string]>> = {
  answered_locally: ["⌨️ Answered at the terminal", ""],
  answered_elsewhere: ["⚠️ Answered by another program", ", not through AtlasBridge and not at the terminal"],
  ended_by_command: ["⌨️ Ended by a command from outside", ", which typed for what runs there"],
  // A program attached to the tool's terminal may have answered it; AtlasBridge does not see such input.
  left_screen: ["↩️ The prompt disappeared from the screen", UNTYPED],
  screen_lost: ["🙈 The screen can no longer be read", `${UNTYPED}. Check the terminal.`],
  request_lost: [
    "🔌 The connection over which the tool asked has ended",
    "; it is not known whether the tool still waits. Check the terminal.",
  ],
  taken_back: ["↩️ Withdrawn by the tool", ": it no longer waits for an answer"],
  cancelled: ["⏹ The turn was cancelled", "; AtlasBridge told the tool so"],
  refused_late: ["⛔ Refused by AtlasBridge", ": nobody answered in time"],
  timed_out: ["⌛ Nobody answered in time", "; the tool continues without an answer"],
  went_on: [
    "⚠️ The tool continued without an answer",
    ": it reports that the step it asked about is finished",
  ],
  kept_changing: ["⛔ Refused by AtlasBridge", ": the tool changed what it asks for again and again"],
  same_id: [
    "⛔ Refused by AtlasBridge",
    ": the tool asked twice under one id, so an answer could have counted for either",
  ],
  unattended: ["⛔ Refused by AtlasBridge", ": nobody could be reached to answer"],
  session_ended: ["⏹ The session ended", UNTYPED],
  superseded: ["↪️ Replaced by another prompt", UNTYPED],
};

export function describeWithdrawal(reason: WithdrawReason): string {
  return WITHDRAWN[reason].join("");
}

/** `answer`: the choice that was taken there, as it is drawn. */
export function describeTypedAnswer(answer: string, safeText: SafeText): string {
  return `⌨️ ${clip(safeText(answer))}, at the terminal`;
}

const FORGOTTEN = "❔ No longer open; the record does not say how it ended";

export function isForgotten(outcome: string | null): boolean {
  return outcome?.startsWith(FORGOTTEN) === true;
}

/** The session's own process has the prompt no more, and this ledger does not say how it ended: an older copy was put back. */
export function describeForgotten(answer: { readonly label: string; readonly who: string } | null): string {
  return answer === null ? FORGOTTEN : `${FORGOTTEN}, nor what became of “${answer.label}”, by ${answer.who}`;
}

export function describeUnapplied(text: string, label: string, who: string): string {
  return `${text.replace(/\.$/, "")}. “${label}”, by ${who}, was not applied.`;
}

/** The prompt ended while an answer was being typed, so we cannot say that nothing was typed. */
export function describeOvertaken(reason: WithdrawReason, label: string, who: string): string {
  return `${WITHDRAWN[reason][0]} while “${label}”, by ${who}, was being typed`;
}

/** An answer that its worker has not started to type, because it is stopped, disconnected or busy. */
export function describeNotPickedUp(label: string, who: string): string {
  return `📨 “${label}”, by ${who}, is queued; the session has not picked it up yet`;
}

/** An answer that its worker picked up late, and whose outcome it has not reported. */
export function describeUnreported(label: string, who: string): string {
  return `📨 “${label}”, by ${who}, was picked up by the session; what became of it is not known yet`;
}

export function describeRefusal(reason: string, safeText: SafeText): string {
  return `⚠️ ${safeText(reason)}`;
}

export const EXPIRED_TEXT = "⌛ Expired; AtlasBridge typed nothing";
export function describeLost(session: AskingSession): string {
  return `⏹ AtlasBridge's process for this session has exited${UNTYPED}. ${describeCheck(session)}`;
}

const UNRELAYED = "⏹ No longer relayed";

export function describeOutgrown({ capabilities }: AskingSession): string {
  const how = capabilities.underTool
    ? "restart the agent, whose AtlasBridge is too old"
    : "answer at the terminal";
  return `${UNRELAYED}: ${how}`;
}

/** Whether the outcome is one of `describeOutgrown`: nobody here knows whether its tool still waits. */
export function isLeftUnrelayed(outcome: string | null): boolean {
  return outcome?.startsWith(UNRELAYED) === true;
}

export const INNER_SESSION_TEXT = "↪️ Relayed by the session that runs inside this one";
