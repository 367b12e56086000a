/**
 * The seam for tools that run in their terminal and are joined beside it, by a protocol of their own (ADR 24). Whoever joins brings
 * the requests that surely belong to the tool of this run, each with the only way back to it; what becomes of them is the book's.
 * Joining is an addition: what cannot be had is not there, and nothing here ever fails loudly.
 */
import type {
  AppServerCoattach,
  SessionServerCoattach,
} from "../../adapter-format/compiled/compiled-coattach.js";
import type { Login } from "../../loopback/loopback-client.js";
import type { Clock } from "../../../model/clock.js";
import type { Signals } from "../../../sdk/view.js";
import type { PendingRequest } from "../../prompts/pending-request.js";
import type { ReplyPath } from "../../prompts/reply-path.js";

export interface AttachHost {
  readonly clock: Clock;
  /** The tool's working directory. */
  readonly cwd: string;
  /** Process id of the leader of the tool's session; null before it was started. */
  readonly leader: () => number | null;
  /** What the tool says of itself on its terminal, now. */
  readonly declared: () => Signals["declared"];
  /** Something that the tool of this run surely asks, and nobody else. */
  readonly onRequest: (request: PendingRequest, path: ReplyPath) => void;
  /** The tool's turn is over; `said`: its last words, null where it said nothing. */
  readonly onTurnOver: (said: string | null) => void;
}

export interface Attachment {
  /** A request is on its way whose dialog may be drawn before it is here. */
  readonly isExpecting: boolean;
  /** What the tool says of itself may have changed. */
  onSignal(): void;
  /** Leaves. What waits is left to the tool's own dialogs. */
  close(): void;
}

/** What a run was found to be able to join; made before the tool starts, from its adapter file. */
export interface AttachAccess {
  readonly join: (host: AttachHost) => Attachment;
}

/** What a tool is started with so that it can be attached to. */
export interface AttachStart {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Its server listens at a socket of the user's: nothing of its start is changed. */
export interface SocketAttachTarget {
  readonly coattach: AppServerCoattach;
  readonly socket: string;
  readonly start: null;
}

/** Its server is told to listen, with a password of this run; where, is found by its process. */
export interface ServedAttachTarget {
  readonly coattach: SessionServerCoattach;
  readonly login: Login;
  readonly start: AttachStart;
}

/** Where a tool is attached to. */
export type AttachTarget = SocketAttachTarget | ServedAttachTarget;
