/** Sessions in the ledger: opened, updated, closed, or found lost. */
import type { SessionId } from "../../model/ids.js";
import type { ToolState } from "../../model/tool-state.js";
import { markLineBreaks } from "../../safety/display.js";
import type { SessionRow } from "../store/tables/sessions.js";
import { ENDED, LOST_TEXT, TOO_OLD_TEXT, describeWithdrawal } from "../delivery/notices/outcome-text.js";
import { enqueueAtSeenPlaces } from "../ledger/enqueue-notices.js";
import { announceIdle } from "./idle.js";
import type { Ledger } from "../ledger/ledger.js";
import { announceScreenLost } from "./screen-lost.js";
import { dropTasks } from "../tasks/tasks.js";
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
    const known = ledger.store.sessions.find(session.sessionId);
    const open = { closedAt: null, ending: null, exitCode: null, signal: null };
    ledger.store.sessions.open({
      ...session,
      toolState: known?.toolState ?? "starting",
      said: null,
      ...open,
    });
    tx.emit({ kind: "overview" });
    if (known?.closedAt === null) return;
    const { sessionId, tool, pid, version, inside } = session;
    tx.record({
      step: "session_opened",
      sessionId,
      details: { tool, pid, version, inside, again: known !== null },
    });
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
    if (before && state === "idle") announceIdle(ledger, tx, before, said);
    if (before && state === "screen_lost") announceScreenLost(ledger, tx, before);
    tx.emit({ kind: "tasks", sessionId });
  });
}

/** Someone typed at its terminal: notices held back because of that wait longer. */
export function noteTyping(ledger: Ledger, sessionId: SessionId, agoMs: number): void {
  const { clock, settings } = ledger.options;
  const now = clock.now();
  ledger.presence.noteTyping(sessionId, now - agoMs);
  const until = ledger.presence.computeHoldEnd(sessionId, now, settings().prompts.deliver_after);
  if (until === now) return;
  ledger.commit((tx) => {
    ledger.store.outbox.postponeHeld(sessionId, until, now);
    tx.emit({ kind: "outbox" });
  });
}

/** How a session ended: the worker saw its tool exit, the worker itself is gone, or it is too old to serve (its tool keeps running). */
export type SessionEnding =
  | { readonly kind: "closed"; readonly exitCode: number | null; readonly signal: string | null }
  | { readonly kind: "lost" }
  | { readonly kind: "outgrown"; readonly version: string };

/** Settles everything of the session and says so wherever it was seen. Idempotent. */
export function closeSession(ledger: Ledger, sessionId: SessionId, ending: SessionEnding): void {
  ledger.commit((tx) => {
    const session = ledger.store.sessions.find(sessionId);
    if (session?.closedAt !== null) return;
    ledger.presence.forget(sessionId);
    ledger.lostScreens.forget(sessionId);
    tx.emit({ kind: "overview" });
    const how = ending.kind === "closed" ? ending : { exitCode: null, signal: null };
    const { exitCode, signal } = how;
    const toolEnded = ending.kind === "closed";
    // Regardless of what a plan expected: this end came from outside.
    const endedItself = toolEnded && ending.signal === null;
    const [text, ended] = [CARD_TEXTS[ending.kind], ENDED[ending.kind]];
    for (const prompt of ledger.store.prompts.listOpenInSession(sessionId))
      closePrompt(ledger, tx, prompt, { endedItself, text, ended });
    dropTasks(ledger, sessionId, ended);
    tx.emit({ kind: "tasks", sessionId });
    const stored = toolEnded ? "closed" : "lost";
    ledger.store.sessions.close({ sessionId, at: tx.now, ending: stored, exitCode, signal });
    enqueueAtSeenPlaces(ledger, tx, sessionId, ledger.options.safeText(describeEnding(session, ending)));
    const outgrown = ending.kind === "outgrown" ? { outgrown: ending.version } : {};
    tx.record({ step: `session_${stored}`, sessionId, details: { exitCode, signal, ...outgrown } });
  });
}

/** The outcome on the cards of unanswered prompts. */
const CARD_TEXTS: Readonly<Record<SessionEnding["kind"], string>> = {
  closed: describeWithdrawal("session_ended"),
  lost: LOST_TEXT,
  outgrown: TOO_OLD_TEXT,
};

function describeEnding(session: SessionRow, ending: SessionEnding): string {
  const name = session.label === null ? session.tool : `${session.tool} (${session.label})`;
  if (ending.kind === "outgrown")
    return `⏹ ${name} runs AtlasBridge ${ending.version}, which is too old for the hub: its prompts show only in its terminal until it is restarted.`;
  // Only the worker's process was checked: a tool that outlives it keeps running unseen.
  if (ending.kind === "lost")
    return `⏹ AtlasBridge's process for ${name} has exited. The tool may still run in its terminal, but its prompts are no longer relayed.`;
  if (ending.signal !== null) return `⏹ ${name} was ended by ${ending.signal}.`;
  return ending.exitCode === null ? `⏹ ${name} ended.` : `⏹ ${name} ended with exit code ${ending.exitCode}.`;
}
