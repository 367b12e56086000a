/**
 * What the socket server needs of the hub behind it. The server knows connections, versions and who may call what; the core knows
 * prompts, people and the ledger. The composition gives the one to the other.
 */
import type { Cancel } from "../../model/clock.js";
import type { SessionId } from "../../model/ids.js";
import type { Caller, Incident, WorkerLink } from "../../wire/connection-ends.js";
import type { HubCalls, ParamsOf, ResultOf } from "../../wire/messages.js";
import type { Worker } from "./supervision.js";

/** Answered by the server itself. */
type ServerCalls =
  | "hub.hello"
  | "hub.prove"
  | "hub.start_refused"
  | "hub.suspect"
  | "hub.yield"
  | "hub.stop"
  | "watch.subscribe";

/**
 * One handler a call. The server has checked the parameters, that session calls come from the connection of that session, and
 * that no session's connection answers prompts. Requests of one connection come one after the other.
 */
export type CoreHandlers = {
  readonly [M in Exclude<keyof HubCalls, ServerCalls>]: (
    params: ParamsOf<HubCalls, M>,
    caller: Caller,
  ) => ResultOf<HubCalls, M> | Promise<ResultOf<HubCalls, M>>;
};

export interface HubService {
  readonly handlers: CoreHandlers;
  /** A worker has opened its session (its `session.open` is answered). A second call for a session replaces the link. */
  connected(sessionId: SessionId, link: WorkerLink): void;
  /** The session's connection ended and no other took its place. The session itself may well go on. */
  disconnected(sessionId: SessionId): void;
  /** A worker of that session came back that is too old to be understood: nothing of it reaches people any more. */
  outgrown(sessionId: SessionId, version: string): void;
  /** The process that opened a session, which may have ended since; null for a session that nobody knows. */
  processOf(sessionId: SessionId): { readonly pid: number; readonly startTime: string | null } | null;
  isOpen(sessionId: SessionId): boolean;
  /** Puts it on record, as far as there is room for such things. Never throws. */
  record(incident: Incident): void;
  /** The processes of all open sessions, connected or not. */
  workers(): readonly Worker[];
  /** Every payload for watching clients, until cancelled. */
  onWatch(listener: (payload: unknown) => void): Cancel;
  /** Begins no new answer (what comes in is kept for the next hub) and resolves when none is under way with a connected worker. */
  drain(): Promise<void>;
  /** No open session or question, outbox and spool empty: the hub may leave when nobody is connected either. */
  owesNothing(): boolean;
  /** Ends channels and timers and closes the database. The last call. */
  stop(): Promise<void>;
}
