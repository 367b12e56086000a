/** The interface of a client of a tool that runs without its own interface. */
import type { Readable, Writable } from "node:stream";
import type { Clock } from "../../../model/clock.js";
import type { Activity } from "../protocol/activity.js";
import type { PendingRequests } from "../../prompts/pending-requests.js";
import type { ProtocolClient, ProtocolTurn } from "../protocol/protocol-client.js";

export interface TurnEnd extends ProtocolTurn {
  /** US dollars of this conversation so far, where the tool reports them. */
  readonly costUsd: number | null;
}

export interface ExecClient extends ProtocolClient<TurnEnd> {
  /** The tool's own name for this session, by which it can be resumed; null until it is known. */
  readonly session: string | null;
  /** It keeps running when its input ends, so it must be ended by a signal. */
  readonly isServer?: boolean;
}

export interface ExecClientParts {
  readonly input: Writable;
  readonly output: Readable;
  readonly pendingRequests: PendingRequests;
  readonly clock: Clock;
  readonly cwd: string;
  /** Version of this program, which is sent to the tool. */
  readonly version: string;
  /** What the tool should know besides its tasks, or null. */
  readonly context: string | null;
  /** The session to resume, or null. */
  readonly resume: string | null;
  /** ms without a sign of life, while no prompt is open, after which a turn is cancelled. */
  readonly silenceMs: number;
  readonly onActivity: (activity: Activity) => void;
  /** Called when a request was denied that nobody was asked about. */
  readonly onDenied?: () => void;
  /** Called when the tool neither works nor ends its turn. */
  readonly onHung: () => void;
}
