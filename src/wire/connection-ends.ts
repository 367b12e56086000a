/** The two ends of a connection as the hub's rooms see them. */
import type { SessionId } from "../model/ids.js";
import type { ParamsFor, ResultOf, WorkerCalls } from "./messages.js";

/** Which connection asks. */
export interface Caller {
  /** Session that this connection opened; null for a client. */
  readonly sessionId: SessionId | null;
  /** The process behind it belongs to a supervised tool, or could not be looked at: nobody knows that a human speaks. */
  readonly isSupervised?: boolean;
}

/** The way to one connected worker. A call rejects with ATB_WIRE_LOST when the worker goes, or does not answer in time. */
export interface WorkerLink {
  call<M extends keyof WorkerCalls>(
    method: M,
    params: ParamsFor<WorkerCalls, M>,
  ): Promise<ResultOf<WorkerCalls, M>>;
}

/** What somebody tried at the hub's door, or did to what leads there: for the record. */
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
