/** The core contract (adapter spec §2), implemented by runtimes only. The spec's own form is `src/compat/base-adapter.ts`. */
import type { ToolState } from "../model/tool-state.js";
import type { PromptId, SessionId } from "../model/ids.js";
import type { PromptEvent } from "../model/prompt.js";
import type { Receipt, AnswerRoute } from "../model/answer/receipt.js";
import type { Refusal } from "../model/answer/refusal.js";
import type { Reply } from "../model/answer/reply.js";

export interface Raised {
  readonly kind: "raised";
  readonly event: PromptEvent;
}

export const WITHDRAW_REASONS = [
  "answered_locally",
  /** By another program that can answer the tool. */
  "answered_elsewhere",
  /** By a line or key that a command from outside typed for what runs in a console. */
  "ended_by_command",
  "left_screen",
  /** The screen can no longer be read: only a person at the terminal knows the outcome. */
  "screen_lost",
  /** The connection over which the tool asked has ended. Whether the tool still waits is not known. */
  "request_lost",
  /** The requester no longer waits for an answer. */
  "taken_back",
  /** The turn was cancelled here, by a person or by a limit, and the tool was notified. */
  "cancelled",
  /** The requester continues without an answer. */
  "timed_out",
  /** Nobody answered in time, so we refused it. */
  "refused_late",
  /** The tool reports that the step it asked about is finished, and nobody had answered. */
  "went_on",
  /** The tool changed its request too often, so we refused it. */
  "kept_changing",
  /** The tool asked twice under one id, so we refused both: an answer could count for either. */
  "same_id",
  /** No person who may answer could be reached, so we refused it. */
  "unattended",
  "session_ended",
  "superseded",
] as const;
export type WithdrawReason = (typeof WITHDRAW_REASONS)[number];

export function isWithdrawReason(reason: unknown): reason is WithdrawReason {
  return WITHDRAW_REASONS.some((each) => each === reason);
}

/** The result of asking a prompt again. `unread`: the screen cannot be read now, so nobody knows. */
export const REASK_RESULTS = ["anew", "already", "gone", "unread"] as const;
export type ReaskResult = (typeof REASK_RESULTS)[number];

export interface Withdrawn {
  readonly kind: "withdrawn";
  readonly promptId: PromptId;
  readonly reason: WithdrawReason;
  /** With `answered_locally`: the choice that was taken there, as it is drawn. Absent where that was not proved. */
  readonly answer?: string;
}

export interface StateChanged {
  readonly kind: "state";
  readonly state: ToolState;
  /** With `idle`: the tool's last message, redacted, at most SAID_LENGTH_MAX of it. Absent: nothing new is known. */
  readonly said?: string;
}

/** What people must know of an open prompt. `screen_differs`: the terminal has shown a dialog in which the call was not found. */
export const PROMPT_NOTES = ["screen_differs"] as const;
export type PromptNote = (typeof PROMPT_NOTES)[number];

export interface Noted {
  readonly kind: "noted";
  readonly promptId: PromptId;
  readonly note: PromptNote;
}

export type AdapterEvent = Raised | Withdrawn | Noted | StateChanged;

/** The session's capabilities as values that the hub can use without knowing the implementation. */
export interface SessionCapabilities {
  readonly chatTurns: boolean;
  readonly screenView: boolean;
  /** The tool started the session's process instead of the process the tool, so the tool is among its ancestors. */
  readonly underTool?: boolean;
  /** Commands of people can be typed into it, while its own person has its console open. */
  readonly console?: boolean;
  /** The tool asks almost nothing in its default mode, and no other mode was chosen. */
  readonly asksLittle?: boolean;
}

export const SNAPSHOT_STATES = ["running", "awaiting_response", "injecting", "done"] as const;

/** Whether a tool can still be worked: the parts of a health check besides its process. */
export interface ToolHealth {
  /** The descriptor to the tool is open for writing. */
  readonly isOpen: boolean;
  /** Somebody reads the tool's output, or has paused it. */
  readonly isRead: boolean;
  /** For how long the tool has not taken the input that waits for it, in ms; 0: none waits. */
  readonly inputWaitsMs: number;
}

/** What keeps a session from working, in words for people. A session without any is healthy. */
export const SESSION_TROUBLES = {
  not_running: "the tool's process does not run",
  closed: "the way to the tool's input is closed",
  not_read: "nothing reads the tool's output any more",
  output_held: "its terminal takes no output, so the tool stands still (Ctrl-Q continues it after Ctrl-S)",
  input_waits: "the tool does not read what was typed",
  nothing_shown: "the tool has shown nothing since its start",
} as const;
/** A key of `SESSION_TROUBLES`: one thing that keeps a session from working. */
export type SessionTrouble = keyof typeof SESSION_TROUBLES;

/** The minimum keys (adapter spec §2, `snapshot_context`), spelled as they are shown to people and scripts. */
export interface SessionSnapshot {
  readonly sessionId: SessionId;
  readonly tool: string;
  readonly pid: number | null;
  readonly state: (typeof SNAPSHOT_STATES)[number];
  readonly uptimeSeconds: number;
  readonly promptCount: number;
  readonly lastOutputAgoSeconds: number;
  readonly ptyAlive: boolean;
  /** It has a prompt open, or one of its processes waits for a key or a line. */
  readonly waitsForInput: boolean;
  /** The result of a health check at this moment; empty: healthy. */
  readonly troubles: readonly SessionTrouble[];
  readonly [key: string]: unknown;
}

/**
 * Called after the plan was made and the same prompt verified on the screen, before the first byte. Resolves when the hub has
 * committed `injecting` and its audit row; if it rejects, no key is typed. `endsTool`: the plan expects the tool to exit after
 * this answer ("No, exit"). `route`: how the answer is delivered.
 */
export type InjectionGate = (plan: {
  readonly endsTool: boolean;
  readonly route: AnswerRoute;
}) => Promise<void>;

/** Either an answer that was not typed, with the reason, or the observed result. */
export type InjectionResult =
  | { readonly kind: "refused"; readonly rejection: Refusal; readonly stillAsked: boolean }
  | { readonly kind: "receipt"; readonly receipt: Receipt };

/**
 * Drives one tool. Must not decide policy, talk to channels, write the audit, or block the event loop. After `terminateSession`
 * or the tool's own exit every method still responds, and no key is typed any more.
 */
export interface Adapter {
  readonly capabilities: SessionCapabilities;

  /** Starts the tool. Errors: ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED. */
  startSession(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<SessionId>;

  /** The tool's unmodified output as it arrives; ends with the tool. One reader. */
  readStream(): AsyncIterable<Uint8Array>;

  /** The live events in order: prompts raised and withdrawn, and changes of the tool's state. One reader. */
  events(): AsyncIterable<AdapterEvent>;

  /**
   * Types exactly this answer into exactly that prompt, or no key. Never throws for a changed screen: that is a refusal. The
   * session has checked and used up the nonce (adapter spec §2). After `uncertain` or `failed`, a prompt that is still open is
   * raised again in a new epoch. When `halt` is aborted no further key is typed; the effect so far is the result.
   */
  injectReply(reply: Reply, gate: InjectionGate, halt?: AbortSignal): Promise<InjectionResult>;

  /** SIGTERM, 3 s, SIGKILL; then the terminal is closed and the host's settings are restored. */
  terminateSession(sessionId: SessionId): Promise<void>;

  /** The current state of the session, also before its start and after its end. */
  snapshotContext(): Promise<SessionSnapshot>;
}
