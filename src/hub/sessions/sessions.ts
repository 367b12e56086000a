/** Sessions in the ledger: opened, updated, closed, or found lost. */
import type { SessionId } from "../../model/ids.js";
import type { AskingSession } from "../../model/where-to-check.js";
import type { ToolState } from "../../model/tool-state.js";
import { markLineBreaks } from "../../safety/display.js";
import type { SessionRow } from "../store/tables/sessions.js";
import {
  ENDED,
  describeLost,
  describeOutgrown,
  describeWithdrawal,
} from "../delivery/notices/outcome-text.js";
import { QUESTION_MARK } from "../delivery/notices/idle-text.js";
import { announceEnding, RESUME_SCOPE, type SessionEnding } from "./ending.js";
import { announceIdle, dropReadNotices, TYPING_ELSEWHERE_MAX_MS } from "./idle-notices.js";
import type { Ledger } from "../ledger/ledger.js";
import { announceScreenLost } from "./announce-screen-lost.js";
import { dropTasks } from "../tasks/tasks.js";
import { dropCommands } from "../console/chat-console.js";
import { announceConsole } from "../console/console.js";
import { closePrompt } from "../prompts/withdraw.js";

export type NewSession = Omit<
  SessionRow,
  "toolState" | "said" | "closedAt" | "ending" | "exitCode" | "signal"
>;

/** Records a new session, or that its worker is back. Idempotent by session id. */
export function openSession(ledger: Ledger, opened: NewSession): void {
  const session = {
    ...opened,
    tool: markLineBreaks(opened.tool),
    label: opened.label === null ? null : markLineBreaks(opened.label),
    cwd: markLineBreaks(opened.cwd),
  };
  ledger.commit((tx) => {
    const previous = ledger.store.sessions.find(session.sessionId);
    const open = { closedAt: null, ending: null, exitCode: null, signal: null };
    ledger.store.sessions.open({
      ...session,
      toolState: previous?.toolState ?? "starting",
      said: null,
      ...open,
    });
    tx.emit({ kind: "overview" });
    const wasOutgrown = previous?.toolState === "not_relayed";
    if (wasOutgrown) ledger.store.sessions.setToolState(session.sessionId, "starting", null);
    if (previous?.closedAt === null && !wasOutgrown) return;
    const { sessionId, tool, pid, version, inside } = session;
    ledger.firstTurns.noteOpened(sessionId, tx.now);
    tx.record({
      step: "session_opened",
      sessionId,
      details: { tool, pid, version, inside, again: previous !== null },
    });
    if (session.capabilities.console === true) announceConsole(ledger, tx, sessionId, true);
  });
}

/** `said`: the tool's last message; null if nothing new is known. It is kept until the tool works again. */
export function setToolState(
  ledger: Ledger,
  sessionId: SessionId,
  state: ToolState,
  said: string | null = null,
): void {
  ledger.commit((tx) => {
    tx.emit({ kind: "overview" });
    const before = ledger.store.sessions.find(sessionId);
    ledger.store.sessions.setToolState(sessionId, state, said);
    if (state === "working") ledger.firstTurns.noteWorking(sessionId);
    if (before?.toolState === "idle" && state === "working") dropReadNotices(ledger, tx, sessionId, Infinity);
    if (before && state === "idle") announceIdle(ledger, tx, before, said);
    if (before && state === "screen_lost") announceScreenLost(ledger, tx, before);
    tx.emit({ kind: "tasks", sessionId });
  });
}

/** Messages held back for the person at the terminal wait longer, and those that they have seen are dropped. */
export function noteTyping(ledger: Ledger, sessionId: SessionId, agoMs: number): void {
  const { clock, settings } = ledger.options;
  const now = clock.now();
  ledger.presence.noteTyping(sessionId, now - agoMs);
  ledger.firstTurns.noteUse(sessionId);
  const until = ledger.presence.computeHoldEnd(sessionId, now, settings().prompts.deliver_after);
  if (until === now || !ledger.store.outbox.hasHeld(sessionId, now)) return;
  ledger.commit((tx) => {
    dropReadNotices(ledger, tx, sessionId, now - agoMs);
    const limits = { elsewhereMs: TYPING_ELSEWHERE_MAX_MS, question: QUESTION_MARK };
    ledger.store.outbox.postponeHeld({ sessionId, until, now, ...limits });
    tx.emit({ kind: "outbox" });
  });
}

/**
 * Ends all that is open in the session, and announces the end wherever it was seen if people need to know. Idempotent. One that is
 * too old to serve stays listed as not relayed while its process lives: its tool runs on, and may still ask.
 */
export function closeSession(ledger: Ledger, sessionId: SessionId, ending: SessionEnding): void {
  ledger.commit((tx) => {
    const session = ledger.store.sessions.find(sessionId);
    if (session?.closedAt !== null) return;
    const wasOutgrown = session.toolState === "not_relayed";
    if (ending.kind === "outgrown" && wasOutgrown) return;
    const { deliver_after } = ledger.options.settings().prompts;
    const typedUntil = ledger.presence.computeHoldEnd(sessionId, tx.now, deliver_after);
    for (const memory of [ledger.presence, ledger.lostScreens, ledger.firstTurns]) memory.forget(sessionId);
    tx.emit({ kind: "overview" });
    const { exitCode, signal } = ending.kind === "closed" ? ending : { exitCode: null, signal: null };
    const hasToolEnded = ending.kind === "closed";
    if (hasToolEnded && ending.resume !== undefined)
      ledger.store.settings.set(RESUME_SCOPE, sessionId, ending.resume);
    // Regardless of what a plan expected: this end came from outside.
    const endedItself = hasToolEnded && ending.signal === null;
    const [text, ended] = [CARD_TEXTS[ending.kind](session), ENDED[ending.kind]];
    for (const prompt of ledger.store.prompts.listOpenInSession(sessionId))
      closePrompt(ledger, tx, prompt, { endedItself, text, ended });
    dropTasks(ledger, sessionId, ended);
    dropCommands(ledger, tx, sessionId, ended);
    tx.emit({ kind: "tasks", sessionId });
    // Its people know already that it is no longer relayed.
    if (wasOutgrown) tx.emit({ kind: "ended_quietly", sessionId });
    else announceEnding(ledger, tx, session, { ending, typedUntil });
    if (ending.kind === "outgrown") {
      ledger.store.sessions.setToolState(sessionId, "not_relayed", null);
      tx.record({ step: "session_outgrown", sessionId, details: { version: ending.version } });
      return;
    }
    ledger.store.sessions.close({ sessionId, at: tx.now, ending: ending.kind, exitCode, signal });
    tx.record({ step: `session_${ending.kind}`, sessionId, details: { exitCode, signal } });
  });
}

/** The outcome on the cards of unanswered prompts. */
const CARD_TEXTS: Readonly<Record<SessionEnding["kind"], (session: AskingSession) => string>> = {
  closed: () => describeWithdrawal("session_ended"),
  lost: describeLost,
  outgrown: describeOutgrown,
};
