/** Stores a worker's prompt in the ledger: once per idempotency key, with verdict, nonce and cards in one transaction. */
import { AtlasBridgeError } from "../../model/errors.js";
import { type SessionId } from "../../model/ids.js";
import type { Mode } from "../../model/policy-mode.js";
import type { PromptEvent } from "../../model/prompt.js";
import { INNER_SESSION_TEXT } from "../delivery/notices/outcome-text.js";
import { WITHDRAW_GRACE_MS } from "../../model/answer/answer-by.js";
import { findNumberCases } from "../policy/number-cases.js";
import type { AskTerms, HeldRule, StoredVerdict, Verdict } from "../policy/verdict.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { SessionRow } from "../store/tables/sessions.js";
import { advancePrompt } from "./advance-prompt.js";
import { guardAgainstFlood } from "./flood/flood-guard.js";
import { acceptRuleAnswer, findRuleAnswer } from "./rules/rule-answer.js";
import { readRuleUses } from "./rules/rule-uses.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { isPaused } from "../ledger/pause.js";
import { applyGrants } from "../ledger/policy/grants.js";
import { getMode } from "../ledger/policy/policy-mode.js";
import { createRefusedError } from "../ledger/refused-error.js";
import { mintShortId } from "./short-id.js";

/** Stores the prompt, or returns the one with the same key. Errors: ATB_HUB_REFUSED if the session is not open. */
export function raisePrompt(ledger: Ledger, sessionId: SessionId, event: PromptEvent): PromptRow {
  return ledger.commit((tx) => {
    const session = ledger.store.sessions.find(sessionId);
    if (session?.closedAt !== null)
      throw createRefusedError("a prompt was raised for a session that is not open");
    const stored = ledger.store.prompts.findByKey(event.idempotencyKey);
    if (stored) return resumeRaised(tx, sessionId, stored);
    if (event.sessionId !== sessionId || ledger.store.prompts.find(event.promptId))
      throw createRefusedError("the prompt id is already in use");
    requireCapacity(ledger, sessionId);
    const isHeldBack = guardAgainstFlood(ledger, tx, session);
    const prompt = insertPrompt(ledger, tx, event, session);
    // Without a screen of its own it shares no terminal with what it has started.
    if (session.capabilities.screenView && ledger.store.sessions.hasOpenInner(sessionId))
      return supersedeByInner(ledger, tx, prompt);
    return carryOutVerdict(ledger, tx, prompt, isHeldBack);
  });
}

/** No terminal shows that many prompts at once. */
const OPEN_OF_SESSION_MAX = 1_000;

/** A refused prompt stays at its terminal. Prompts accepted before can still be answered. */
function requireCapacity({ disk, store }: Ledger, sessionId: SessionId): void {
  if (disk.isFull)
    throw new AtlasBridgeError("ATB_STORE_FAILED", "the ledger's disk limit is reached", {
      hint: "Raise `ledger.disk_limit_mb`, or remove old copies and captures from the data directory.",
    });
  if (store.prompts.countOpenInSession(sessionId) >= OPEN_OF_SESSION_MAX)
    throw createRefusedError(`${OPEN_OF_SESSION_MAX} prompts of this session are open already`);
}

/** The worker reconnected. An answer that it may have missed is sent again. */
function resumeRaised(tx: Transaction, sessionId: SessionId, stored: PromptRow): PromptRow {
  if (stored.sessionId !== sessionId)
    throw createRefusedError("a prompt was raised with the key of another session");
  if (stored.state === "answering") tx.emit({ kind: "reply", sessionId });
  return stored;
}

/** Classes that occur within a turn. Those of the other classes may also come before the first one. */
const TURN_CLASSES: readonly PromptEvent["safetyClass"][] = ["permission", "question", "plan"];

function insertPrompt(ledger: Ledger, tx: Transaction, event: PromptEvent, session: SessionRow): PromptRow {
  const uses = readRuleUses(ledger, session.sessionId);
  const ruleVerdict = ledger.options.policy().decide(event, session, tx.now, uses);
  const destruction = ledger.options.policy().findDestruction?.(event, session, tx.now) ?? null;
  const classes = [event.safetyClass, ...(destruction === null ? [] : ["destructive"])];
  const verdict = applyGrants(ledger, tx, { event, session: { ...session, classes }, verdict: ruleVerdict });
  const terms = verdict.kind === "ask" ? (verdict.terms ?? {}) : {};
  const onExpiry = terms.onExpiry ?? ledger.options.settings().prompts.on_expiry;
  const numberReasons = findNumberReasons(ledger, { event, terms, destruction });
  const stored: StoredVerdict = {
    ...verdict,
    onExpiry,
    movedByMs: ledger.movedByMs,
    classes,
    ...numberReasons,
  };
  const row: PromptRow = {
    promptId: event.promptId,
    sessionId: session.sessionId,
    shortId: mintShortId(ledger, tx.now),
    idempotencyKey: event.idempotencyKey,
    state: "detected",
    event,
    verdict: JSON.stringify(stored),
    answerable: event.promptType !== "secret" && verdict.kind !== "notify" && terms.localOnly !== true,
    nonce: null,
    nonceHash: null,
    replyId: null,
    answeredBy: null,
    outcome: null,
    createdAt: tx.now,
    deadlineAt: computeDeadline(ledger, tx, event, terms),
    remindAt: null,
    reminders: 0,
    closedAt: null,
  };
  ledger.store.prompts.insert(row);
  if (TURN_CLASSES.includes(event.safetyClass)) ledger.firstTurns.noteUse(session.sessionId);
  recordRaised(tx, row, verdict);
  return row;
}

function findNumberReasons(
  ledger: Ledger,
  asked: {
    readonly event: PromptEvent;
    readonly terms: AskTerms;
    readonly destruction: string | null;
  },
): Pick<StoredVerdict, "numberFor" | "destruction"> {
  const { event, terms, destruction } = asked;
  const wanted = ledger.options.settings().prompts.number_for;
  if (terms.numberMatch !== undefined || wanted.length === 0) return {};
  const numberFor = findNumberCases(event, destruction, wanted);
  if (numberFor.length === 0) return {};
  const isShown = destruction !== null && numberFor.includes("destructive");
  return { numberFor, ...(isShown && { destruction }) };
}

function computeDeadline(
  ledger: Ledger,
  tx: Transaction,
  { constraints }: PromptEvent,
  { expiresMs }: AskTerms,
): number | null {
  if (constraints.answerBy !== undefined) return constraints.answerBy + WITHDRAW_GRACE_MS;
  const expiresAfter = expiresMs ?? ledger.options.settings().prompts.expires_after;
  return expiresAfter === 0 ? null : tx.now + expiresAfter;
}

function recordRaised(tx: Transaction, row: PromptRow, verdict: Verdict): void {
  const { promptType, safetyClass, confidence, contentHash, epoch, choices, sources, content } = row.event;
  tx.record({
    step: "prompt_raised",
    sessionId: row.sessionId,
    promptId: row.promptId,
    details: {
      shortId: row.shortId,
      promptType,
      safetyClass,
      confidence,
      contentHash,
      epoch,
      choices: choices.length,
      ...(content.hidden && { hiddenCharacters: content.hidden.characters }),
      sources,
      verdict: verdict.kind,
      rule: verdict.rule,
      // The reason to ask may hold words of the command, which the audit keeps forever.
      ...(verdict.kind !== "ask" && { reason: verdict.reason }),
      ...("held" in verdict && { held: verdict.held }),
    },
  });
}

/** The outer terminal only shows what the inner session relays. */
function supersedeByInner(ledger: Ledger, tx: Transaction, prompt: PromptRow): PromptRow {
  return advancePrompt(ledger, tx, prompt, {
    event: { kind: "superseded" },
    record: { step: "prompt_superseded", details: { by: "inner_session" } },
    text: INNER_SESSION_TEXT,
  });
}

function carryOutVerdict(ledger: Ledger, tx: Transaction, prompt: PromptRow, isHeldBack: boolean): PromptRow {
  const mode = getMode(ledger, prompt.sessionId);
  const found = findRuleAnswer(prompt);
  const why = findHold(ledger, mode, isHeldBack);
  const answer = why === null ? found : null;
  // A grant was given for this very request: there is nothing left to suggest.
  if (answer !== null && (mode === "full" || answer.grant !== undefined))
    return acceptRuleAnswer(ledger, tx, prompt, answer);
  const countdownAt = answer === null ? null : tx.now + ledger.options.policy().countdownMs;
  const details = {
    deadlineAt: prompt.deadlineAt,
    ...(countdownAt !== null && { countdownAt }),
    ...(found !== null && why !== null && { held: { rule: found.rule, why } satisfies HeldRule }),
  };
  return advancePrompt(ledger, tx, prompt, {
    event: { kind: "asked" },
    record: { step: "prompt_asked", details },
    ...(countdownAt !== null && { change: { remindAt: countdownAt } }),
  });
}

/** Why no rule and no grant answers in this session now; null: they may. */
function findHold(ledger: Ledger, mode: Mode, isHeldBack: boolean): string | null {
  if (isHeldBack) return "its session asks too often";
  if (isPaused(ledger)) return "everything is paused";
  return mode === "off" ? "the mode is off" : null;
}
