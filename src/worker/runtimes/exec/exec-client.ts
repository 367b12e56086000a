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
  /** The tool's own name for this session, for resuming it; null until known. */
  readonly session: string | null;
  /** It continues when its input ends, so it must be ended by a signal. */
  readonly isServer?: boolean;
}

export interface ExecClientParts {
  readonly input: Writable;
  readonly output: Readable;
  readonly pendingRequests: PendingRequests;
  readonly clock: Clock;
  readonly cwd: string;
  readonly version: string;
  readonly context: string | null;
  readonly resume: string | null;
  /** After so many ms of silence, while no prompt is open, a turn is cancelled. */
  readonly silenceMs: number;
  readonly onActivity: (activity: Activity) => void;
  /** Called when a request was denied without asking anybody. */
  readonly onDenied?: () => void;
  /** Called when the tool neither works nor ends its turn. */
  readonly onHung: () => void;
}
