/** Tells a session's people that it ended, if they need to know that. Runs inside the transaction of that event. */
import { readLastMessage } from "../delivery/notices/idle-text.js";
import { PRIORITY } from "../store/tables/outbox.js";
import type { SessionRow } from "../store/tables/sessions.js";
import { dropNotice, enqueueAtSeenPlaces } from "../ledger/enqueue-notices.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";

/** How a session ended: the worker saw its tool exit, the worker itself is gone, or it is too old to serve (its tool keeps running). */
export type SessionEnding =
  | {
      readonly kind: "closed";
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly resume?: string | undefined;
    }
  | { readonly kind: "lost" }
  | { readonly kind: "outgrown"; readonly version: string };

/** After a shorter session everybody knows that it was a moment's work. */
export const LONG_SESSION_MS = 10 * 60_000;
/** What Ctrl-C leaves: a person ended it. */
const INTERRUPTED_CODE = 130;
const INTERRUPTED_SIGNALS: readonly (string | null)[] = ["SIGINT", "SIGHUP"];

/** `typedUntil`: until when messages are held back because somebody types there; `tx.now` if nobody does. */
export function announceEnding(
  ledger: Ledger,
  tx: Transaction,
  session: SessionRow,
  { ending, typedUntil }: { readonly ending: SessionEnding; readonly typedUntil: number },
): void {
  const { sessionId } = session;
  const isWatched = typedUntil > tx.now;
  const unread = retireIdleNotices(ledger, tx, sessionId);
  const last = isWatched ? null : unread;
  // Whoever gave a task from a chat may wait for it.
  const isUnfinished =
    session.toolState === "working" && ledger.store.tasks.hasSince(sessionId, session.startedAt);
  const isLong = tx.now - session.startedAt >= LONG_SESSION_MS;
  const isWorthTelling = hasFailed(ending) || last !== null || (!isWatched && (isLong || isUnfinished));
  if (!isWorthTelling) {
    tx.emit({ kind: "ended_quietly", sessionId });
    return;
  }
  const text = describeEnding(session, ending);
  const shown = last === null ? text : `${text} Its last message:\n\n${last}`;
  // What only the worker's end says is nothing that somebody at the terminal sees.
  const dueAt = ending.kind === "closed" ? typedUntil : tx.now;
  enqueueAtSeenPlaces(ledger, tx, { sessionId, text: ledger.options.safeText(shown), dueAt });
}

/** By session: the words after `atlasbridge run` that continue it. */
export const RESUME_SCOPE = "resume";

/** For somebody who writes to a session that is over. */
export function describeEnded(
  { options, store }: Ledger,
  { sessionId, label, tool, cwd }: SessionRow,
): string {
  const resume = store.settings.get(RESUME_SCOPE, sessionId);
  const how = resume === null ? "" : ` To go on with it, in ${cwd}:\n\natlasbridge run ${resume}`;
  return options.safeText(`${label ?? tool} has ended; nothing was typed.${how}`);
}

function hasFailed(ending: SessionEnding): boolean {
  if (ending.kind !== "closed") return true;
  const { exitCode, signal } = ending;
  if (signal !== null) return !INTERRUPTED_SIGNALS.includes(signal);
  return exitCode !== null && exitCode !== 0 && exitCode !== INTERRUPTED_CODE;
}

/**
 * Nothing may say that the tool waits once it has ended: messages that were not sent yet are dropped, and the last sent one of each
 * place keeps only what the tool said. Returns the last message that nobody has got, or null.
 */
function retireIdleNotices(
  ledger: Ledger,
  tx: Transaction,
  sessionId: SessionRow["sessionId"],
): string | null {
  const { deliveries, outbox } = ledger.store;
  const latest = deliveries.listLatest(sessionId, "idle");
  for (const row of latest.filter(({ state }) => state === "waiting")) dropNotice(ledger, tx, row);
  const places = new Set<string>();
  for (const row of latest.filter(({ state }) => state === "posted")) {
    const place = JSON.stringify([row.channel, row.place]);
    if (places.has(place)) continue;
    places.add(place);
    deliveries.setText(row.deliveryId, readLastMessage(row.text ?? "") ?? "");
    const outcome = { state: "withdrawn", text: "⏹ The session ended", final: true } as const;
    outbox.addSettle(row.deliveryId, PRIORITY.edit, tx.now, outcome);
    tx.emit({ kind: "outbox" });
  }
  const [unsent] = latest.filter(({ state }) => state === "waiting");
  return unsent ? readLastMessage(unsent.text ?? "") : null;
}

function describeEnding(session: SessionRow, ending: SessionEnding): string {
  const name = session.label === null ? session.tool : `${session.tool} (${session.label})`;
  const { underTool = false } = session.capabilities;
  if (ending.kind === "outgrown" && underTool)
    return `⏹ ${name} asks through AtlasBridge ${ending.version}, which is too old for the hub: it can ask nobody until it is restarted.`;
  if (ending.kind === "outgrown")
    return `⏹ ${name} runs AtlasBridge ${ending.version}, which is too old for the hub: its prompts show only in its terminal until it is restarted.`;
  // Only the worker's process was checked: a tool that outlives it keeps running unseen.
  if (ending.kind === "lost" && underTool)
    return `⏹ AtlasBridge's process for ${name} has exited. The agent may still run, but it can no longer ask through that process.`;
  if (ending.kind === "lost")
    return `⏹ AtlasBridge's process for ${name} has exited. The tool may still run in its terminal, but its prompts are no longer relayed.`;
  if (ending.signal === "SIGHUP") return `⏹ ${name} has ended: its terminal was closed.`;
  if (ending.signal !== null) return `⏹ ${name} was ended by ${ending.signal}.`;
  return ending.exitCode === null ? `⏹ ${name} ended.` : `⏹ ${name} ended with exit code ${ending.exitCode}.`;
}
