/**
 * The number that a yes needs if a rule says `number_match`, or without a rule if it allows always, approves hidden content or
 * may destroy (`prompts.number_for`): two digits that only the session's terminal shows, or the first of several people. It must
 * be written; no button carries it, so blind taps never approve.
 */
import { listChosen } from "../../../model/answer/chosen.js";
import { createRefusal, type Refusal } from "../../../model/answer/refusal.js";
import { isRejecting } from "../../../model/hidden.js";
import { LOCAL_IDENTITY } from "../../../model/ids.js";
import type { AskingSession } from "../../../model/where-to-check.js";
import { allowsMore } from "../../policy/number-cases.js";
import { readStoredVerdict, readTerms } from "../../policy/verdict.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import type { Ledger, Transaction } from "../../ledger/ledger.js";
import { readApprovalState, writeApprovalState, type ApprovalState } from "./approval-state.js";
import type { ValidatedAnswer } from "../accept.js";

const LOWEST = 10;
const COUNT = 90;
/** So many guesses leave a chance of one in thirty. */
const WRONG_MAX = 3;

/** The number of a prompt, made when it is first needed. */
export function ensureNumber(ledger: Ledger, prompt: PromptRow): number {
  const state = readApprovalState(ledger, prompt);
  if (state.number !== null) return state.number;
  const number = LOWEST + Math.floor(ledger.options.random.fraction() * COUNT);
  writeApprovalState(ledger, prompt, { ...state, number });
  return number;
}

/** Whether this answer needs the number, for every person. `value` is legal. */
export function wantsNumber({ event, verdict }: PromptRow, value: string): boolean {
  if (isRejecting(event, value)) return false;
  if (readTerms(verdict).numberMatch === true) return true;
  const { numberFor = [] } = readStoredVerdict(verdict);
  if (numberFor.some((each) => each !== "always_allow")) return true;
  return numberFor.length > 0 && listChosen(event, value).some((choice) => allowsMore(event, choice));
}

export function mayNeedNumber({ verdict }: Pick<PromptRow, "verdict">): boolean {
  return readTerms(verdict).numberMatch === true || (readStoredVerdict(verdict).numberFor ?? []).length > 0;
}

/** Whether the terminal shows the number: at once if every yes needs it, otherwise once somebody has chosen what does. */
export function showsNumber(ledger: Ledger, prompt: PromptRow): boolean {
  if (prompt.state !== "pending" || !mayNeedNumber(prompt)) return false;
  const { numberFor = [] } = readStoredVerdict(prompt.verdict);
  const isForEachYes =
    readTerms(prompt.verdict).numberMatch === true || numberFor.some((each) => each !== "always_allow");
  return isForEachYes || readApprovalState(ledger, prompt).number !== null;
}

/**
 * Whether this answer needs the number now. Of several people the first does not, and may ask for it again: they are the ones who tell
 * the next. Who answers at this machine has the number beside the question, so they need it only where a rule says so.
 */
function needsNumber(
  prompt: PromptRow,
  { approvals }: ApprovalState,
  { identity, value, name }: Pick<ValidatedAnswer, "identity" | "value" | "name">,
): boolean {
  const { numberMatch, quorum = 1 } = readTerms(prompt.verdict);
  if (numberMatch !== true && identity === LOCAL_IDENTITY) return false;
  return wantsNumber(prompt, value) && (quorum < 2 || approvals.some(({ person }) => person !== name));
}

/** Why the answer does not count yet; null if no number is needed, or it is the right one. */
export function checkNumber(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow,
  answer: Pick<ValidatedAnswer, "identity" | "value" | "name" | "number" | "acceptsHidden">,
): Refusal | null {
  const state = readApprovalState(ledger, prompt);
  const { identity, value, number: said } = answer;
  if (!needsNumber(prompt, state, answer)) return null;
  const session = ledger.store.sessions.find(prompt.sessionId);
  if (state.wrong >= WRONG_MAX) return refuseAsBlocked(session);
  const right = ensureNumber(ledger, prompt);
  if (said === right) return null;
  const now = readApprovalState(ledger, prompt);
  if (said === undefined) {
    const accepting = answer.acceptsHidden === true ? [...(now.accepting ?? []), identity] : now.accepting;
    const tapped = { ...now.tapped, [identity]: value };
    writeApprovalState(ledger, prompt, { ...now, tapped, ...(accepting && { accepting }) });
    // Its terminal shows the number from now on.
    tx.emit({ kind: "prompt", promptId: prompt.promptId });
    return createRefusal(
      "number_needed",
      describeHow(ledger, prompt, session, { value, isLocal: identity === LOCAL_IDENTITY }),
    );
  }
  const wrong = now.wrong + 1;
  writeApprovalState(ledger, prompt, { ...now, wrong });
  tx.record({
    step: "number_wrong",
    sessionId: prompt.sessionId,
    promptId: prompt.promptId,
    identity,
    details: { wrong, of: WRONG_MAX },
  });
  return wrong >= WRONG_MAX ? refuseAsBlocked(session) : createRefusal("number_wrong");
}

function refuseAsBlocked(session: AskingSession | null): Refusal {
  return session?.capabilities.underTool === true
    ? createRefusal("number_blocked", "Three wrong numbers: a yes is no longer possible. Nothing was typed.")
    : createRefusal("number_blocked");
}

/** Where its number is shown. Whether the session has a window whose title shows it is not known here. */
export function describeNumberPlace(
  ledger: Ledger,
  { shortId }: PromptRow,
  session: AskingSession | null,
): string {
  const command = `\`atlasbridge prompts --number ${shortId}\``;
  const isUntitled = !ledger.options.settings().prompts.title_mark;
  return isUntitled || session?.capabilities.underTool === true
    ? `its machine (${command})`
    : `the tool's terminal (${command}, or its title where it shows one)`;
}

function describeHow(
  ledger: Ledger,
  prompt: PromptRow,
  session: AskingSession | null,
  { value, isLocal }: { readonly value: string; readonly isLocal: boolean },
): string {
  const { shortId, verdict } = prompt;
  const first = (readTerms(verdict).quorum ?? 1) > 1 ? " or from whoever said yes first" : "";
  const how = isLocal ? `Write: answer ${shortId} ${value} --number NN` : "Reply to the card with the number";
  return `This yes needs the number at ${describeNumberPlace(ledger, prompt, session)}${first}. Nothing was typed. ${how}.`;
}
