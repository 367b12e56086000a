/** The core contract (adapter spec §2), implemented by runtimes only. The spec's own form of it is `src/compat/base-adapter.ts`. */
import type { ToolState } from "../model/tool-state.js";
import type { PromptId, SessionId } from "../model/ids.js";
import type { PromptEvent } from "../model/prompt.js";
import type { Receipt, AnswerRoute } from "../model/answer/receipt.js";
import type { Rejection } from "../model/answer/rejection.js";
import type { Reply } from "../model/answer/reply.js";

export interface Raised {
  readonly kind: "raised";
  readonly event: PromptEvent;
}

export const WITHDRAW_REASONS = [
  "answered_locally",
  /** By another program that can answer the tool. */
  "answered_elsewhere",
  "left_screen",
  /** What the tool draws cannot be followed any more: nobody but who sits at the terminal knows what became of it. */
  "screen_lost",
  /** Whoever asked waits for no answer any more. */
  "taken_back",
  /** Whoever asked goes on without an answer. */
  "timed_out",
  /** What was asked about is over by the tool's own report, and nobody had answered. */
  "went_on",
  "session_ended",
  "superseded",
] as const;
export type WithdrawReason = (typeof WITHDRAW_REASONS)[number];

export function isWithdrawReason(reason: unknown): reason is WithdrawReason {
  return WITHDRAW_REASONS.some((each) => each === reason);
}

/** What became of a question that somebody wants to be asked again. */
export const STANDING = ["anew", "already", "gone"] as const;
export type ReaskResult = (typeof STANDING)[number];

export interface Withdrawn {
  readonly kind: "withdrawn";
  readonly promptId: PromptId;
  readonly reason: WithdrawReason;
}

export interface StateChanged {
  readonly kind: "state";
  readonly state: ToolState;
  /** With `idle`: what the tool said last, redacted, at most SAID_LENGTH_MAX of it. Absent: nothing new is known. */
  readonly said?: string;
}

export type AdapterEvent = Raised | Withdrawn | StateChanged;

/** What the hub can see of a session's powers; values, not names of who implements them. */
export interface SessionCapabilities {
  readonly chatTurns: boolean;
  readonly screenView: boolean;
  /** The tool started the session's process, and not that one the tool: who the tool is must be looked for above. */
  readonly underTool?: boolean;
}

export const SNAPSHOT_STATES = ["running", "awaiting_response", "injecting", "done"] as const;

/** The least keys (adapter spec §2, `snapshot_context`), in its own spelling as they are shown to people and scripts. */
export interface SessionSnapshot {
  readonly sessionId: SessionId;
  readonly tool: string;
  readonly pid: number | null;
  readonly state: (typeof SNAPSHOT_STATES)[number];
  readonly uptimeSeconds: number;
  readonly promptCount: number;
  readonly lastOutputAgoSeconds: number;
  readonly ptyAlive: boolean;
  /** It has asked something, or a process of it is waiting for a key or a line. */
  readonly waitsForInput: boolean;
  readonly [key: string]: unknown;
}

/**
 * Called with the plan made and the same prompt verified on the screen, before the first byte. Resolves when the hub has
 * committed `injecting` and its audit row; rejects when it did not, and then nothing is written. `endsTool`: the plan foresees that the
 * tool ends with this answer ("No, exit"). `route`: the way it goes.
 */
export type InjectionGate = (plan: {
  readonly endsTool: boolean;
  readonly route: AnswerRoute;
}) => Promise<void>;

/** An answer that was not put in, with the reason, or what was seen to happen. */
export type InjectionResult =
  | { readonly kind: "refused"; readonly rejection: Rejection; readonly stillAsked: boolean }
  | { readonly kind: "receipt"; readonly receipt: Receipt };

/**
 * Drives one tool. Must not decide policy, talk to channels, write the audit, or block the event loop.
 * After `terminateSession` or the tool's own end every method still answers, and nothing is written any more.
 */
export interface Adapter {
  readonly capabilities: SessionCapabilities;

  /** Starts the tool. Errors: ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED. */
  startSession(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<SessionId>;

  /** The tool's output as it arrives, untouched; ends with the tool. One reader. */
  readStream(): AsyncIterable<Uint8Array>;

  /** The live path: prompts raised and withdrawn, and changes of the tool's state, in order. One reader. */
  events(): AsyncIterable<AdapterEvent>;

  /**
   * Puts exactly this answer into exactly that prompt, or nothing. Never throws for a moved screen: that is a refusal. The
   * session has checked and used up the nonce (adapter spec §2). After `uncertain` or `failed` a prompt that is
   * still asked is raised anew, in a new epoch. Once `halt` is aborted nothing more is written; what that left behind is the result.
   */
  injectReply(reply: Reply, gate: InjectionGate, halt?: AbortSignal): Promise<InjectionResult>;

  /** SIGTERM, 3 s, SIGKILL; then the terminal is closed and the host's settings are restored. */
  terminateSession(sessionId: SessionId): Promise<void>;

  /** What is known of the session now. Before the start and after the end, too. */
  snapshotContext(): Promise<SessionSnapshot>;
}
