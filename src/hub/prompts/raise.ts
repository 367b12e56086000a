/** A worker's question enters the ledger: once per idempotency key, with its verdict, nonce and cards in one transaction. */
import { AtlasBridgeError } from "../../model/errors.js";
import { POLICY_IDENTITY, type SessionId } from "../../model/ids.js";
import type { PromptEvent } from "../../model/prompt.js";
import { rejectingValue } from "../../model/answer/rejecting.js";
import { legalValue } from "../../model/answer/reply.js";
import { INNER_SESSION_TEXT } from "../delivery/notices/outcome-text.js";
import { displayName } from "../people/people.js";
import { mayAnswerAlone } from "../policy/automatic.js";
import type { Verdict } from "../policy/verdict.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { SessionRow } from "../store/tables/sessions.js";
import { advancePrompt } from "./advance-prompt.js";
import { accept } from "./accept.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { isPaused } from "../ledger/pause.js";
import { hubRefused } from "../ledger/refused.js";
import { mintShortId } from "./short-id.js";

/** Stores the prompt, or finds the one with its key. Errors: ATB_HUB_REFUSED when the session is not open. */
export function raisePrompt(ledger: Ledger, sessionId: SessionId, event: PromptEvent): PromptRow {
  return ledger.commit((tx) => {
    const session = ledger.store.sessions.find(sessionId);
    if (session?.closedAt !== null) throw hubRefused("a prompt was raised for a session that is not open");
    const stored = ledger.store.prompts.findByKey(event.idempotencyKey);
    if (stored) return raisedAgain(tx, sessionId, stored);
    if (event.sessionId !== sessionId || ledger.store.prompts.find(event.promptId))
      throw hubRefused("a prompt was raised under another's id");
    refuseWithoutRoom(ledger, sessionId);
    const prompt = record(ledger, tx, event, session);
    if (ledger.store.sessions.hasOpenInner(sessionId)) return leaveToInner(ledger, tx, prompt);
    return carryOutVerdict(ledger, tx, prompt);
  });
}

/** So many questions of one session stand at no terminal at once. */
const OPEN_OF_SESSION_MAX = 1_000;

/** What is refused stays at its terminal. Whatever was taken before can still be answered. */
function refuseWithoutRoom({ disk, store }: Ledger, sessionId: SessionId): void {
  if (disk.isFull)
    throw new AtlasBridgeError("ATB_STORE_FAILED", "the disk space that the ledger may take is used up", {
      hint: "Raise `ledger.disk_limit_mb`, or take old copies and captures out of the data directory.",
    });
  if (store.prompts.countOpenOf(sessionId) >= OPEN_OF_SESSION_MAX)
    throw hubRefused(`${OPEN_OF_SESSION_MAX} questions of this session are open`);
}

/** The worker was away. An answer that it may not have got is sent once more. */
function raisedAgain(tx: Transaction, sessionId: SessionId, stored: PromptRow): PromptRow {
  if (stored.sessionId !== sessionId) throw hubRefused("a prompt was raised with the key of another session");
  if (stored.state === "answering") tx.tell({ kind: "reply", sessionId });
  return stored;
}

function record(ledger: Ledger, tx: Transaction, event: PromptEvent, session: SessionRow): PromptRow {
  const verdict = ledger.options.decide(event, session);
  const row: PromptRow = {
    promptId: event.promptId,
    sessionId: session.sessionId,
    shortId: mintShortId(ledger, tx.now),
    idempotencyKey: event.idempotencyKey,
    state: "detected",
    event,
    verdict: JSON.stringify(verdict),
    answerable: event.promptType !== "secret" && verdict.kind !== "notify",
    nonce: null,
    nonceHash: null,
    replyId: null,
    answeredBy: null,
    outcome: null,
    createdAt: tx.now,
    deadlineAt: deadlineOf(ledger, tx, event),
    remindAt: null,
    reminders: 0,
    closedAt: null,
  };
  ledger.store.prompts.insert(row);
  recordRaised(tx, row, verdict);
  return row;
}

/** Its worker withdraws a question whose tool has gone on, and says so; this is for one that is not there to do it. */
const WITHDRAWN_WITHIN_MS = 2_000;

/** Null: it waits for as long as it stands. */
function deadlineOf(ledger: Ledger, tx: Transaction, { constraints }: PromptEvent): number | null {
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

/** The outer terminal only shows what the inner session asks itself. */
function leaveToInner(ledger: Ledger, tx: Transaction, prompt: PromptRow): PromptRow {
  return advancePrompt(ledger, tx, prompt, {
    event: { kind: "superseded" },
    record: { step: "prompt_superseded", details: { by: "inner_session" } },
    text: INNER_SESSION_TEXT,
  });
}

function carryOutVerdict(ledger: Ledger, tx: Transaction, prompt: PromptRow): PromptRow {
  const verdict = JSON.parse(prompt.verdict) as Verdict;
  const mayAlone = mayAnswerAlone(prompt.event) && !isPaused(ledger);
  const value = mayAlone ? ownAnswer(verdict, prompt.event) : null;
  if (value === null) {
    const details = { deadlineAt: prompt.deadlineAt };
    return advancePrompt(ledger, tx, prompt, {
      event: { kind: "asked" },
      record: { step: "prompt_asked", details },
    });
  }
  const identity = POLICY_IDENTITY;
  return accept(ledger, tx, prompt, { value, identity, name: displayName(identity) }).prompt;
}

/** The value a verdict gives by itself; null when people must be asked. An illegal one is not given. */
function ownAnswer(verdict: Verdict, event: PromptEvent): string | null {
  if (verdict.kind !== "answer" && verdict.kind !== "deny") return null;
  const value = verdict.kind === "answer" ? verdict.value : rejectingValue(event);
  const legal = value === null ? null : legalValue(event, value);
  return legal?.ok ? legal.value : null;
}
