/** Closes sessions whose worker will never come back: it has been disconnected for a while and its process is gone. */
import type { Cancel } from "../../model/clock.js";
import type { LeftSession } from "../../config/hub-notes.js";
import type { Ledger } from "../ledger/ledger.js";
import { closeSession } from "./sessions.js";

/** Leaves time for a worker that is just being replaced or recognized. */
export const LOST_AFTER_MS = 5_000;

export interface LostSessionsOptions {
  /** Whether exactly this process still runs; a reused pid has another start time (null: unknown). */
  readonly processAlive: (pid: number, startTime: string | null) => boolean;
  readonly isConnected: (sessionId: string) => boolean;
}

export class LostSessions {
  readonly #ledger: Ledger;
  readonly #options: LostSessionsOptions;
  readonly #missing = new Map<string, number>();
  #cancel: Cancel = () => undefined;
  #running = false;

  constructor(ledger: Ledger, options: LostSessionsOptions) {
    this.#ledger = ledger;
    this.#options = options;
  }

  start(): void {
    this.#running = true;
    this.closeLost();
  }

  stop(): void {
    this.#running = false;
    this.#cancel();
  }

  /** Closes lost sessions, and repeats while any session is disconnected. Also called when a connection ends. */
  closeLost(): void {
    if (!this.#running) return;
    this.#cancel();
    const { clock, log } = this.#ledger.options;
    try {
      for (const [sessionId, since] of this.#updateMissing(clock.monotonic()))
        if (clock.monotonic() - since >= LOST_AFTER_MS) this.#closeIfDead(sessionId);
    } catch (error) {
      log("error", "lost sessions could not be closed", { error: String(error) });
    }
    if (this.#missing.size > 0) this.#cancel = clock.after(LOST_AFTER_MS, () => this.closeLost());
  }

  /** Sessions that keep running when the hub ends. Without those that it did not relay either. */
  listRunning(): LeftSession[] {
    const { isConnected, processAlive } = this.#options;
    return this.#ledger.store.sessions
      .listOpen()
      .filter(({ sessionId, pid, pidStartTime, toolState }) =>
        toolState === "not_relayed" ? false : isConnected(sessionId) || processAlive(pid, pidStartTime),
      )
      .map(({ sessionId, tool, label, pid, pidStartTime }) => ({
        sessionId,
        tool,
        label,
        pid,
        pidStartTime,
      }));
  }

  #updateMissing(now: number): ReadonlyMap<string, number> {
    const open = this.#ledger.store.sessions.listOpen().map(({ sessionId }) => sessionId);
    const missing = new Set<string>(open.filter((sessionId) => !this.#options.isConnected(sessionId)));
    for (const sessionId of this.#missing.keys())
      if (!missing.has(sessionId)) this.#missing.delete(sessionId);
    for (const sessionId of missing) if (!this.#missing.has(sessionId)) this.#missing.set(sessionId, now);
    return this.#missing;
  }

  #closeIfDead(sessionId: string): void {
    const session = this.#ledger.store.sessions.find(sessionId);
    if (!session || this.#options.processAlive(session.pid, session.pidStartTime)) return;
    closeSession(this.#ledger, session.sessionId, { kind: "lost" });
  }
}
