/** What the socket server needs from the hub behind it. */
import type { LeftSession } from "../../config/hub-notes.js";
import type { Cancel } from "../../model/clock.js";
import type { SessionId } from "../../model/ids.js";
import type { Caller, Incident, WorkerLink } from "../../wire/connection-ends.js";
import type { HubCalls, ParamsOf, ResultOf } from "../../wire/messages.js";
import type { Worker } from "./supervision.js";

type ServerCalls =
  | "hub.hello"
  | "hub.prove"
  | "hub.start_refused"
  | "hub.suspect"
  | "hub.yield"
  | "hub.stop"
  | "watch.subscribe";

/**
 * One handler per call. The server has checked the parameters, that session calls come from that session's connection, and that
 * no session's connection answers prompts. Requests of one connection arrive in order.
 */
export type CoreHandlers = {
  readonly [M in Exclude<keyof HubCalls, ServerCalls>]: (
    params: ParamsOf<HubCalls, M>,
    caller: Caller,
  ) => ResultOf<HubCalls, M> | Promise<ResultOf<HubCalls, M>>;
};

export interface AdmissionPort {
  findProcess(sessionId: SessionId): { readonly pid: number; readonly startTime: string | null } | null;
  isOpen(sessionId: SessionId): boolean;
  record(incident: Incident): void;
  listWorkers(): readonly Worker[];
  readonly highestMark: number;
  noteMark(mark: number): void;
}

export interface HubService {
  readonly handlers: CoreHandlers;
  /** A worker has opened its session and `session.open` is answered. A second call for a session replaces the link. */
  connected(sessionId: SessionId, link: WorkerLink): void;
  /** The session's connection ended and no other replaced it. The session itself may still run. */
  disconnected(sessionId: SessionId): void;
  /** A worker of that session reconnected with a version too old to serve: none of its prompts reach people any more. */
  workerTooOld(sessionId: SessionId, version: string): void;
  /** Sessions that keep running without a hub, connected or not. */
  listRunning(): readonly LeftSession[];
  readonly admission: AdmissionPort;
  onWatch(listener: (payload: unknown) => void): Cancel;
  /** Starts no new answer (new updates are stored for the next hub) and resolves when no connected worker is typing one. */
  drain(): Promise<void>;
  /** No open session or prompt, outbox and inbox empty: the hub may exit once nobody is connected. */
  isIdle(): boolean;
  /** Stops channels and timers and closes the database. Must be the last call. */
  stop(): Promise<void>;
}
