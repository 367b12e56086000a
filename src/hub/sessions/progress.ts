/** The optional progress line: posted once a tool has worked for a while, edited in place, and ended with the turn. */
import type { Cancel } from "../../model/clock.js";
import type { SessionId } from "../../model/ids.js";
import { formatDuration } from "../delivery/notices/span.js";
import { PRIORITY, type StoredOutcome } from "../store/tables/outbox.js";
import type { DeliveryRow } from "../store/tables/deliveries.js";
import type { SessionRow } from "../store/tables/sessions.js";
import { enqueueAtRoutes } from "../ledger/enqueue-notices.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";

const RETRY_MS = 5_000;

/** Monotonic instants, so that setting the clock does not change durations. */
interface Work {
  readonly since: number;
  dueAt: number;
}

export class ProgressLines {
  readonly #ledger: Ledger;
  readonly #working = new Map<SessionId, Work>();
  #cancel: Cancel = () => undefined;
  #running = false;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  start(): void {
    this.#running = true;
    this.#endEarlierLines();
    this.update();
  }

  stop(): void {
    this.#running = false;
    this.#cancel();
  }

  /** Updates due lines. A line that cannot be written now is only late; other work continues. */
  update(): void {
    try {
      this.#updateAll();
    } catch (error) {
      const { clock, log } = this.#ledger.options;
      log("error", "progress lines could not be written; they are tried again", { error: String(error) });
      this.#cancel = clock.after(RETRY_MS, () => this.update());
    }
  }

  #updateAll(): void {
    this.#cancel();
    const every = this.#ledger.options.settings().conversation.progress_every;
    if (!this.#running || (every === 0 && this.#working.size === 0)) return;
    const now = this.#ledger.options.clock.monotonic();
    const open = this.#ledger.store.sessions.listOpen();
    const working = open.filter(({ toolState }) => every > 0 && toolState === "working");
    for (const sessionId of this.#working.keys())
      if (!working.some((row) => row.sessionId === sessionId)) this.#endLine(sessionId, now);
    for (const row of working) this.#updateLine(row, now, every);
    const next = Math.min(...[...this.#working.values()].map(({ dueAt }) => dueAt));
    if (Number.isFinite(next))
      this.#cancel = this.#ledger.options.clock.after(next - now, () => this.update());
  }

  #updateLine(row: SessionRow, now: number, everyMs: number): void {
    const work = this.#working.get(row.sessionId) ?? { since: now, dueAt: now + everyMs };
    this.#working.set(row.sessionId, work);
    if (now < work.dueAt) return;
    work.dueAt = now + everyMs;
    this.#ledger.commit((tx) => {
      const lines = this.#findLines(row.sessionId);
      const text = `⚙️ working for ${formatDuration(now - work.since)}`;
      if (lines.length > 0) this.#editLines(tx, lines, { state: "answered", text, final: false });
      else
        enqueueAtRoutes(this.#ledger, tx, row, {
          text: describeSession(this.#ledger, row),
          role: "progress",
          dueAt: tx.now,
        });
    });
  }

  #endLine(sessionId: SessionId, now: number): void {
    const work = this.#working.get(sessionId);
    if (!work) return;
    const text = `✔️ worked for ${formatDuration(now - work.since)}`;
    this.#ledger.commit((tx) =>
      this.#editLines(tx, this.#findLines(sessionId), { state: "answered", text, final: true }),
    );
    this.#working.delete(sessionId);
  }

  /** Ends the lines of a previous hub, since the start of that work is unknown. */
  #endEarlierLines(): void {
    const { log } = this.#ledger.options;
    try {
      const left = this.#ledger.store.deliveries.listOpen("progress").filter((line) => this.#isOpen(line));
      if (left.length === 0) return;
      const text = "✔️ worked; the hub was restarted meanwhile";
      this.#ledger.commit((tx) => this.#editLines(tx, left, { state: "answered", text, final: true }));
    } catch (error) {
      log("error", "the progress lines of an earlier hub could not be ended", { error: String(error) });
    }
  }

  #editLines(tx: Transaction, lines: readonly DeliveryRow[], outcome: StoredOutcome): void {
    for (const { deliveryId } of lines)
      this.#ledger.store.outbox.addSettle(deliveryId, PRIORITY.edit, tx.now, outcome);
    if (lines.length > 0) tx.emit({ kind: "outbox" });
  }

  #findLines(sessionId: SessionId): DeliveryRow[] {
    return this.#ledger.store.deliveries
      .listLatest(sessionId, "progress")
      .filter((line) => this.#isOpen(line));
  }

  #isOpen({ deliveryId, state }: DeliveryRow): boolean {
    return (
      (state === "posted" || state === "waiting") && !this.#ledger.store.outbox.hasFinalOutcome(deliveryId)
    );
  }
}

function describeSession(ledger: Ledger, { tool, label }: SessionRow): string {
  return ledger.options.safeText(`⚙️ ${label ?? tool}`);
}
