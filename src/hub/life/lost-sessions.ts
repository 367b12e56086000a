/** Finds sessions whose worker will never come back: not connected for a while, and its process is gone. */
import type { Cancel } from "../../model/clock.js";
import type { Ledger } from "./ledger.js";
import { closeSession } from "./sessions.js";

/** A worker that lost the hub is back within seconds; a machine under load may need more. */
export const LOST_AFTER_MS = 30_000;

export interface LostSessionsOptions {
  /** Whether that very process still runs; a recycled pid has another start time (null: unknown). */
  readonly processAlive: (pid: number, startTime: string | null) => boolean;
  readonly isConnected: (sessionId: string) => boolean;
}

export class LostSessions {
  readonly #ledger: Ledger;
  readonly #options: LostSessionsOptions;
  #missing = new Set<string>();
  #cancel: Cancel = () => undefined;

  constructor(ledger: Ledger, options: LostSessionsOptions) {
    this.#ledger = ledger;
    this.#options = options;
  }

  start(): void {
    this.#missing = new Set(this.#notConnected());
    this.#cancel = this.#ledger.options.clock.after(LOST_AFTER_MS, () => this.#look());
  }

  stop(): void {
    this.#cancel();
  }

  /** A session is lost when it was missing at two looks in a row and its process is gone: once is a reconnect. */
  #look(): void {
    const missing = this.#notConnected();
    try {
      for (const sessionId of missing) if (this.#missing.has(sessionId)) this.#closeIfDead(sessionId);
    } catch (error) {
      this.#ledger.options.log("error", "lost sessions could not be closed", { error: String(error) });
    }
    this.#missing = new Set(missing);
    this.#cancel = this.#ledger.options.clock.after(LOST_AFTER_MS, () => this.#look());
  }

  #notConnected(): string[] {
    const open = this.#ledger.store.sessions.listOpen().map(({ sessionId }) => sessionId);
    return open.filter((sessionId) => !this.#options.isConnected(sessionId));
  }

  #closeIfDead(sessionId: string): void {
    const session = this.#ledger.store.sessions.find(sessionId);
    if (!session || this.#options.processAlive(session.pid, session.pidStartTime)) return;
    closeSession(this.#ledger, session.sessionId, { kind: "lost" });
  }
}
