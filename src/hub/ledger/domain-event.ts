/** What a commit changed. The hub receives these events after the commit. */
import type { Identity, PromptId, SessionId } from "../../model/ids.js";

export interface SessionAction {
  /** `picture`: the screen, but only as a picture. */
  readonly action: "screen" | "picture" | "stop";
  readonly sessionId: SessionId;
  /** Prompts whose answers are typed before the tool is stopped. */
  readonly after?: readonly PromptId[];
  readonly channel: string;
  readonly place: string;
}

export interface ConsoleRequest {
  readonly action: "run" | "interrupt" | "eof" | "suspend" | "input" | "mode";
  readonly commandId: string;
  readonly sessionId: SessionId;
  readonly text: string;
  /** For a tapped command: it is typed only in this mode of the program (null: it has none). */
  readonly mode?: string | null;
  /** Why it came too late to be typed, or null. */
  readonly lateness?: string | null;
  readonly identity: Identity;
  readonly channel: string;
  readonly place: string;
}

export interface AskAgainRequest {
  readonly promptId: PromptId;
  readonly channel: string;
  readonly place: string;
}

/** A crash may lose an event: `session_action` and `ask_again` are lost for good, all others are recovered from the store. */
export type DomainEvent =
  /** A channel recovered: what failed on it before is retried. */
  | { readonly kind: "connected"; readonly channel: string }
  | { readonly kind: "outbox" }
  | { readonly kind: "deadlines" }
  | { readonly kind: "reply"; readonly sessionId: string }
  | { readonly kind: "session_action"; readonly request: SessionAction }
  | { readonly kind: "ask_again"; readonly request: AskAgainRequest }
  /** Lost with a crash: the console's open commands tell their senders after the restart. */
  | { readonly kind: "console"; readonly request: ConsoleRequest }
  | { readonly kind: "console_closed"; readonly sessionId: SessionId }
  | { readonly kind: "paused"; readonly by: Identity | null }
  | { readonly kind: "prompt"; readonly promptId: string }
  /** The session ended and no message says so: its threads can be closed. */
  | { readonly kind: "ended_quietly"; readonly sessionId: SessionId }
  | { readonly kind: "tasks"; readonly sessionId: SessionId }
  /** Prompts of the session are held back, or not any more. */
  | { readonly kind: "relay"; readonly sessionId: SessionId }
  | { readonly kind: "overview" };
