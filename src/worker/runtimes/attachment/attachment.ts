/** The interface to tools that run in their terminal and are attached to by a protocol of their own (ADR 24). */
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
  readonly cwd: string;
  readonly getLeader: () => number | null;
  readonly getDeclared: () => Signals["declared"];
  /** Called with a request that surely comes from the tool of this session. */
  readonly onRequest: (request: PendingRequest, path: ReplyPath) => void;
  readonly onTurnEnd: (lastMessage: string | null) => void;
}

export interface Attachment {
  /** Whether a request is on its way whose dialog may be drawn before it arrives. */
  readonly isExpecting: boolean;
  onSignal(): void;
  /** Detaches. Pending requests are left to the tool's own dialogs. */
  close(): void;
}

export interface AttachAccess {
  readonly attach: (host: AttachHost) => Attachment;
}

export interface AttachStart {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** The tool's server listens at a socket of the user's; its start is not changed. */
export interface SocketAttachTarget {
  readonly coattach: AppServerCoattach;
  readonly socket: string;
  readonly start: null;
}

/** The tool is started with a server of its own, which asks for a password of this session. */
export interface ServedAttachTarget {
  readonly coattach: SessionServerCoattach;
  readonly login: Login;
  readonly start: AttachStart;
}

export type AttachTarget = SocketAttachTarget | ServedAttachTarget;
