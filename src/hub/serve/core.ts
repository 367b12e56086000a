/**
 * What the socket server needs of the hub behind it. The server knows connections, versions and who may call what; the core knows
 * prompts, people and the ledger. The composition gives the one to the other.
 */
import type { Cancel } from "../../model/clock.js";
import type { SessionId } from "../../model/ids.js";
import type { HubCalls, ParamsFor, ParamsOf, ResultOf, WorkerCalls } from "../../wire/messages.js";

/** Which connection asks. */
export interface Caller {
  /** Session that this connection opened; null for a client. */
  readonly sessionId: SessionId | null;
}

/** Answered by the server itself. */
type ServerCalls = "hub.stop" | "watch.subscribe";

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

/** The way to one connected worker. A call rejects with ATB_WIRE_LOST when the worker goes; it is made again after the next `connected`. */
export interface WorkerLink {
  call<M extends keyof WorkerCalls>(
    method: M,
    params: ParamsFor<WorkerCalls, M>,
  ): Promise<ResultOf<WorkerCalls, M>>;
}

export interface HubCore {
  readonly handlers: CoreHandlers;
  /** A worker has opened its session (its `session.open` is answered). A second call for a session replaces the link. */
  connected(sessionId: SessionId, link: WorkerLink): void;
  /** The session's connection ended and no other took its place. The session itself may well go on. */
  disconnected(sessionId: SessionId): void;
  /** Every payload for watching clients, until cancelled. */
  onWatch(listener: (payload: unknown) => void): Cancel;
  /** No open session, no unsettled delivery, outbox and spool empty: the hub may leave when nobody is connected either. */
  owesNothing(): boolean;
  /** Ends channels and timers and closes the database. The last call. */
  stop(): Promise<void>;
}
