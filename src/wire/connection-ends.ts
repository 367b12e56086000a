/** The two ends of a connection as the hub sees them. */
import type { SessionId } from "../model/ids.js";
import type { ParamsFor, ResultOf, WorkerCalls } from "./messages.js";

/** The caller's connection. */
export interface Caller {
  /** Session that this connection opened; null for a client. */
  readonly sessionId: SessionId | null;
  /** The process behind it belongs to a supervised tool or could not be inspected, so it does not speak for a human. */
  readonly isSupervised?: boolean;
  /** Settles when the connection has ended. */
  readonly ended?: Promise<unknown>;
}

/** The connection to one worker. A call rejects with ATB_WIRE_LOST when the worker disconnects or does not respond in time. */
export interface WorkerLink {
  call<M extends keyof WorkerCalls>(
    method: M,
    params: ParamsFor<WorkerCalls, M>,
  ): Promise<ResultOf<WorkerCalls, M>>;
}

/** A refused call, or a change to the hub's files: recorded in the audit. */
export interface Incident {
  readonly step:
    | "session_refused"
    | "session_link_replaced"
    | "call_refused"
    | "false_hub_seen"
    | "hub_place_mended"
    | "endpoint_unconfirmed"
    | "endpoint_confirmed";
  readonly sessionId: SessionId | null;
  readonly details: Readonly<Record<string, string | number | null>>;
}
