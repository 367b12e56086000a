/** A human's answer on its way to the tool (adapter spec §2, §3.2, §3.3) and which values are legal. */
import { encodeForm, parseForm } from "./form.js";
import type { Identity, Nonce, PromptId, ReplyId, SessionId } from "../ids.js";
import type { PromptEvent } from "../prompt.js";
import { createRefusal, type Refusal } from "./refusal.js";
import { isKeyName, takesKeys } from "./screen-keys.js";

export const NEWLINE_POLICIES = ["append", "none", "replace"] as const;
/** How a value ends when it is typed (adapter spec §4). `append`: a carriage return follows; `none`: nothing follows, but an empty value is Enter; `replace`: the value is backslash escapes. */
export type NewlinePolicy = (typeof NEWLINE_POLICIES)[number];

/** A human's answer to one prompt (adapter spec §3.2). Whoever passes it to an adapter has checked its nonce, and used it up. */
export interface Reply {
  readonly replyId: ReplyId;
  readonly promptId: PromptId;
  readonly sessionId: SessionId;
  /** Normal form made by `parseLegalValue`: `y`/`n`, `2`, `1,3`, `enter`, `decline`, `stop`, a form's canonical JSON, or the text itself. */
  readonly value: string;
  /** The reason of a denial, or the text of a choice that takes one. */
  readonly text?: string;
  readonly nonce: Nonce;
  readonly channelIdentity: Identity;
  /** ISO 8601, UTC: when the channel received it. */
  readonly timestamp: string;
  readonly newlinePolicy: NewlinePolicy;
}

/** Longest free text for a line prompt (adapter spec §3.3). Agents' composers set their own limit, up to 4000. */
export const DEFAULT_TEXT_MAX = 200;
export const AGENT_TEXT_MAX = 4000;

/** Begins the normal form of a text that is typed into an unrecognized prompt. */
export const TEXT_PREFIX = "text:";

/** The value that declines a check list or form, where that is possible. */
export const DECLINE = "decline";

/** What the choice to answer a question for a text with no text is called, on cards and in `watch`. */
export const LEAVE_EMPTY = "Leave empty";

/** The value that rejects and then interrupts the tool, where that is possible. */
export const STOP = "stop";

type AnswerablePrompt = Pick<PromptEvent, "promptType" | "choices" | "constraints">;

/** A legal value in its normal form, or why it is not legal. */
export type Legality =
  { readonly ok: true; readonly value: string } | { readonly ok: false; readonly rejection: Refusal };

/**
 * Turns what a channel delivered into the normal form of a legal value, or says why it is not legal. Only `y n yes no` are
 * words here (for yes_no), and the tool's highlight is ignored: the safe default is another table (`safe-default.ts`).
 */
export function parseLegalValue(question: AnswerablePrompt, value: string, text?: string): Legality {
  if (question.constraints.localOnly) return refuse(createRefusal("at_terminal"));
  const textProblem =
    text === undefined ? null : findTextProblem(text, { multiline: true, maxLength: AGENT_TEXT_MAX });
  if (textProblem) return refuse(textProblem);
  if (text !== undefined && question.promptType !== "multiple_choice")
    return refuse(createRefusal("text_not_taken"));
  if (question.constraints.stoppable && value.trim().toLowerCase() === STOP)
    return text === undefined ? acceptValue(STOP) : refuse(createRefusal("text_not_taken"));
  if (question.constraints.declinable && value.trim().toLowerCase() === DECLINE) return acceptValue(DECLINE);
  switch (question.promptType) {
    case "yes_no":
      return checkYesNo(value);
    case "multiple_choice":
      return checkChoices(question, value, text);
    case "confirm_enter":
      if (["enter", "\n", "\r", ""].includes(value)) return acceptValue("enter");
      return isOffered(question, value) ? acceptValue(value) : refuse(createRefusal("option_unknown"));
    case "free_text":
      return freeText(question, value);
    case "secret":
      return refuse(createRefusal("secret"));
    case "unknown":
      return checkUnknownAction(question, value);
  }
}

function acceptValue(value: string): Legality {
  return { ok: true, value };
}

function refuse(reason: Refusal): Legality {
  return { ok: false, rejection: reason };
}

const YES_NO: Readonly<Record<string, "y" | "n">> = { y: "y", yes: "y", n: "n", no: "n", "1": "y", "2": "n" };

/** Enter is not accepted: it would choose whatever the tool prefers. */
function checkYesNo(value: string): Legality {
  const known = YES_NO[value.trim().toLowerCase()];
  return known ? acceptValue(known) : refuse(createRefusal("option_unknown"));
}

function checkChoices(question: AnswerablePrompt, value: string, text: string | undefined): Legality {
  if (question.constraints.multi) return checkList(question, value);
  const wanted = value.trim();
  if (!isInRange(question, wanted)) return refuse(createRefusal("option_unknown"));
  const choice = question.choices[Number(wanted) - 1];
  if (choice?.takesText === "required" && !text) return refuse(createRefusal("text_required"));
  if (text !== undefined && choice?.takesText === undefined) return refuse(createRefusal("text_not_taken"));
  return acceptValue(wanted);
}

function isInRange(question: AnswerablePrompt, digits: string): boolean {
  if (!/^[1-9][0-9]{0,2}$/.test(digits)) return false;
  const index = Number(digits);
  const max = question.constraints.maxChoice ?? question.choices.length;
  return index >= (question.constraints.minChoice ?? 1) && index <= max;
}

function checkList(question: AnswerablePrompt, value: string): Legality {
  const parts = value.trim() === "" ? [] : value.split(",").map((part) => part.trim());
  if (!parts.every((part) => isInRange(question, part))) return refuse(createRefusal("option_unknown"));
  return acceptValue([...new Set(parts.map(Number))].sort((a, b) => a - b).join(","));
}

function freeText(question: AnswerablePrompt, value: string): Legality {
  if (question.constraints.form) return checkForm(question.constraints.form, value);
  if (value === "") return question.constraints.allowEmpty ? acceptValue("") : refuse(createRefusal("empty"));
  const problem = findTextProblem(value, question.constraints);
  return problem ? refuse(problem) : acceptValue(value);
}

function checkForm(form: NonNullable<AnswerablePrompt["constraints"]["form"]>, value: string): Legality {
  const problem = findTextProblem(value, { multiline: true, maxLength: AGENT_TEXT_MAX });
  if (problem) return refuse(problem);
  const parsed = parseForm(form, value);
  if (!parsed.ok) return refuse(createRefusal(parsed.problem));
  // JSON writes control characters with ordinary ones.
  const texts = parsed.answer.flatMap(([, given]) => given);
  const hidden = texts.map((text) => findTextProblem(text, { multiline: true, maxLength: AGENT_TEXT_MAX }));
  const found = hidden.find((each) => each !== null);
  return found ? refuse(found) : acceptValue(encodeForm(parsed.answer));
}

/** Why a text may not be given to a tool; null: it may. */
export function findTextProblem(
  value: string,
  limits: { maxLength?: number; multiline?: boolean },
): Refusal | null {
  if ([...value].length > (limits.maxLength ?? DEFAULT_TEXT_MAX)) return createRefusal("too_long");
  if (/[\n\r\u2028\u2029]/.test(value) && !limits.multiline) return createRefusal("several_lines");
  // C0 except tab and line feed, DEL and C1: a terminal would interpret them. Bidi controls make text look different from what
  // runs.
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(value))
    return createRefusal("control_characters");
  return null;
}

function isOffered({ constraints }: AnswerablePrompt, value: string): boolean {
  return constraints.keys?.some(({ key }) => key === value) === true;
}

/** A line takes any text with its Enter. On a screen that takes keys an Enter would choose the marked row, so a text needs a prefix. */
function checkUnknownAction(question: AnswerablePrompt, value: string): Legality {
  if (value === "enter" || value === "esc" || isOffered(question, value)) return acceptValue(value);
  const isTyped = value.startsWith(TEXT_PREFIX);
  if (!isTyped && (isKeyName(value) || value === "" || takesKeys(question.constraints)))
    return refuse(createRefusal("option_unknown"));
  const text = isTyped ? value.slice(TEXT_PREFIX.length) : value;
  const problem = findTextProblem(text, {});
  return problem ? refuse(problem) : acceptValue(TEXT_PREFIX + text);
}
