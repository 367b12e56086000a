/** What the hub's door must know of the ledger: which process opened which session, and where to put what was tried. */
import type { SessionId } from "../../model/ids.js";
import type { Incident } from "../../wire/connection-ends.js";
import { IncidentLog } from "../ledger/incidents.js";
import { NO_PROCESS } from "../store/seals/mended-rows.js";
import type { Ledger } from "../ledger/ledger.js";

export interface SessionProcess {
  readonly pid: number;
  /** Null where the system does not tell. */
  readonly startTime: string | null;
}

export interface OpenSessionProcess extends SessionProcess {
  readonly sessionId: SessionId;
  /** The tool started it, and not it the tool. */
  readonly underTool: boolean;
}

export class Door {
  readonly #ledger: Ledger;
  readonly #incidents: IncidentLog;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
    this.#incidents = new IncidentLog(ledger);
  }

  /** The processes of all open sessions, connected or not. */
  workers(): readonly OpenSessionProcess[] {
    return this.#ledger.store.sessions.known().map((session) => {
      const { sessionId, pid, pidStartTime: startTime, capabilities } = session;
      return { sessionId, pid, startTime, underTool: capabilities.underTool ?? false };
    });
  }

  /** The process that opened a session, which may have ended since; null for a session that nobody knows. */
  processOf(sessionId: SessionId): SessionProcess | null {
    this.#ledger.look();
    const session = this.#ledger.store.sessions.find(sessionId);
    // Of a session whose row proved nothing the process is not known any more: its worker comes as if for the first time.
    if (session === null || session.pid === NO_PROCESS) return null;
    return { pid: session.pid, startTime: session.pidStartTime };
  }

  isOpen(sessionId: SessionId): boolean {
    this.#ledger.look();
    return this.#ledger.store.sessions.find(sessionId)?.closedAt === null;
  }

  /** Never throws. */
  record(incident: Incident): void {
    this.#incidents.record(incident);
  }

  stop(): void {
    this.#incidents.stop();
  }
}
