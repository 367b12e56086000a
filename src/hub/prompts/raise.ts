/** Stores a worker's prompt in the ledger: once per idempotency key, with verdict, nonce and cards in one transaction. */
import { AtlasBridgeError } from "../../model/errors.js";
import { POLICY_IDENTITY, type SessionId } from "../../model/ids.js";
import type { PromptEvent } from "../../model/prompt.js";
import { findRejectingValue } from "../../model/answer/rejecting.js";
import { parseLegalValue } from "../../model/answer/reply.js";
import { INNER_SESSION_TEXT } from "../delivery/notices/outcome-text.js";
import { WITHDRAWN_WITHIN_MS } from "../delivery/notices/shown-end.js";
import { getDisplayName } from "../people/people.js";
import { mayAnswerAutomatically } from "../policy/automatic.js";
import type { StoredVerdict, Verdict } from "../policy/verdict.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { SessionRow } from "../store/tables/sessions.js";
import { advancePrompt } from "./advance-prompt.js";
import { acceptAnswer } from "./accept.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { isPaused } from "../ledger/pause.js";
import { createRefusal } from "../ledger/refused.js";
import { mintShortId } from "./short-id.js";

/** Stores the prompt, or returns the one with the same key. Errors: ATB_HUB_REFUSED if the session is not open. */
export function raisePrompt(ledger: Ledger, sessionId: SessionId, event: PromptEvent): PromptRow {
  return ledger.commit((tx) => {
    const session = ledger.store.sessions.find(sessionId);
    if (session?.closedAt !== null) throw createRefusal("a prompt was raised for a session that is not open");
    const stored = ledger.store.prompts.findByKey(event.idempotencyKey);
    if (stored) return resumeRaised(tx, sessionId, stored);
    if (event.sessionId !== sessionId || ledger.store.prompts.find(event.promptId))
      throw createRefusal("the prompt id is already in use");
    requireRoom(ledger, sessionId);
    const prompt = insertPrompt(ledger, tx, event, session);
    if (ledger.store.sessions.hasOpenInner(sessionId)) return supersedeByInner(ledger, tx, prompt);
    return carryOutVerdict(ledger, tx, prompt);
  });
}

/** No terminal shows that many prompts at once. */
const OPEN_OF_SESSION_MAX = 1_000;

/** A refused prompt stays at its terminal. Prompts accepted before can still be answered. */
function requireRoom({ disk, store }: Ledger, sessionId: SessionId): void {
  if (disk.isFull)
    throw new AtlasBridgeError("ATB_STORE_FAILED", "the ledger's disk limit is reached", {
      hint: "Raise `ledger.disk_limit_mb`, or remove old copies and captures from the data directory.",
    });
  if (store.prompts.countOpenInSession(sessionId) >= OPEN_OF_SESSION_MAX)
    throw createRefusal(`${OPEN_OF_SESSION_MAX} prompts of this session are open already`);
}

/** The worker reconnected. An answer that it may have missed is sent again. */
function resumeRaised(tx: Transaction, sessionId: SessionId, stored: PromptRow): PromptRow {
  if (stored.sessionId !== sessionId)
    throw createRefusal("a prompt was raised with the key of another session");
  if (stored.state === "answering") tx.emit({ kind: "reply", sessionId });
  return stored;
}

function insertPrompt(ledger: Ledger, tx: Transaction, event: PromptEvent, session: SessionRow): PromptRow {
  const verdict = ledger.options.decide(event, session);
  const stored: StoredVerdict = { ...verdict, onExpiry: ledger.options.settings().prompts.on_expiry };
  const row: PromptRow = {
    promptId: event.promptId,
    sessionId: session.sessionId,
    shortId: mintShortId(ledger, tx.now),
    idempotencyKey: event.idempotencyKey,
    state: "detected",
    event,
    verdict: JSON.stringify(stored),
    answerable: event.promptType !== "secret" && verdict.kind !== "notify",
    nonce: null,
    nonceHash: null,
    replyId: null,
    answeredBy: null,
    outcome: null,
    createdAt: tx.now,
    deadlineAt: computeDeadline(ledger, tx, event),
    remindAt: null,
    reminders: 0,
    closedAt: null,
  };
  ledger.store.prompts.insert(row);
  recordRaised(tx, row, verdict);
  return row;
}

/** Null: no deadline. */
function computeDeadline(ledger: Ledger, tx: Transaction, { constraints }: PromptEvent): number | null {
  if (constraints.answerBy !== undefined) return constraints.answerBy + WITHDRAWN_WITHIN_MS;
  const expiresAfter = ledger.options.settings().prompts.expires_after;
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
    },
  });
}

/** The outer terminal only shows what the inner session relays itself. */
function supersedeByInner(ledger: Ledger, tx: Transaction, prompt: PromptRow): PromptRow {
  return advancePrompt(ledger, tx, prompt, {
    event: { kind: "superseded" },
    record: { step: "prompt_superseded", details: { by: "inner_session" } },
    text: INNER_SESSION_TEXT,
  });
}

function carryOutVerdict(ledger: Ledger, tx: Transaction, prompt: PromptRow): PromptRow {
  const verdict = JSON.parse(prompt.verdict) as Verdict;
  const mayAlone = mayAnswerAutomatically(prompt.event) && !isPaused(ledger);
  const value = mayAlone ? findAutomaticAnswer(verdict, prompt.event) : null;
  if (value === null) {
    const details = { deadlineAt: prompt.deadlineAt };
    return advancePrompt(ledger, tx, prompt, {
      event: { kind: "asked" },
      record: { step: "prompt_asked", details },
    });
  }
  const identity = POLICY_IDENTITY;
  return acceptAnswer(ledger, tx, prompt, { value, identity, name: getDisplayName(identity) }).prompt;
}

/** The value that a verdict gives without people; null if people must be asked. An illegal value is never given. */
function findAutomaticAnswer(verdict: Verdict, event: PromptEvent): string | null {
  if (verdict.kind !== "answer" && verdict.kind !== "deny") return null;
  const value = verdict.kind === "answer" ? verdict.value : findRejectingValue(event);
  const legal = value === null ? null : parseLegalValue(event, value);
  return legal?.ok ? legal.value : null;
}
