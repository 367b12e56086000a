/** What the admission check needs from the ledger: which process opened which session, and where to record refusals. */
import type { SessionId } from "../../model/ids.js";
import type { Incident } from "../../wire/connection-ends.js";
import { IncidentLog } from "../ledger/incidents.js";
import type { Ledger } from "../ledger/ledger.js";

/** The key in `settings`. It outlives the hub, as processes that a session left behind do. */
const HIGHEST_MARK = ["hub", "highest_mark"] as const;

export interface SessionProcess {
  readonly pid: number;
  readonly startTime: string | null;
}

export interface OpenSessionProcess extends SessionProcess {
  readonly sessionId: SessionId;
  readonly underTool: boolean;
}

export class SessionAdmission {
  readonly #ledger: Ledger;
  readonly #incidents: IncidentLog;
  #highestMark: number;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
    this.#incidents = new IncidentLog(ledger);
    const { settings, audit } = ledger.store;
    // Another program may have removed it. Then whatever descends from any worker counts as left behind.
    const unknown = audit.hasOpenedSessions() ? Number.MAX_SAFE_INTEGER : -1;
    this.#highestMark = Number(settings.get(...HIGHEST_MARK) ?? unknown);
  }

  listWorkers(): readonly OpenSessionProcess[] {
    return this.#ledger.store.sessions.listOpen().map((session) => {
      const { sessionId, pid, pidStartTime: startTime, capabilities } = session;
      return { sessionId, pid, startTime, underTool: capabilities.underTool ?? false };
    });
  }

  /** The process that opened a session, which may have exited; null for an unknown session. */
  findProcess(sessionId: SessionId): SessionProcess | null {
    const session = this.#ledger.store.sessions.find(sessionId);
    return session && { pid: session.pid, startTime: session.pidStartTime };
  }

  /** The highest descent mark of all workers that have opened a session here; -1 if none had one. */
  get highestMark(): number {
    return this.#highestMark;
  }

  noteMark(mark: number): void {
    // A worker that has exited meanwhile has 0, which proves nothing about other processes.
    if (mark === Infinity || mark <= Math.max(0, this.#highestMark)) return;
    this.#highestMark = mark;
    const { store } = this.#ledger;
    store.write(() => store.settings.set(...HIGHEST_MARK, String(mark)));
  }

  isOpen(sessionId: SessionId): boolean {
    return this.#ledger.store.sessions.find(sessionId)?.closedAt === null;
  }

  record(incident: Incident): void {
    this.#incidents.record(incident);
  }

  stop(): void {
    this.#incidents.stop();
  }
}
