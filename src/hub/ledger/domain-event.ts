/** What a commit changed. The hub receives these events after the commit. */
import type { SessionId } from "../../model/ids.js";
import { type PromptId } from "../../model/ids.js";

export interface SessionAction {
  /** `picture`: the screen, but only as a picture. */
  readonly action: "screen" | "picture" | "stop";
  readonly sessionId: SessionId;
  /** Where it was requested, and where the result goes. */
  readonly channel: string;
  readonly place: string;
}

export interface AskAgainRequest {
  readonly promptId: PromptId;
  /** Where it was requested, and where the result goes. */
  readonly channel: string;
  readonly place: string;
}

/**
 * What a commit changed. A crash may lose an event: `session_action` and `ask_again` are then lost for good; everything else is
 * recovered from the store.
 */
export type DomainEvent =
  /** A channel recovered: what failed on it before is retried. */
  | { readonly kind: "connected"; readonly channel: string }
  | { readonly kind: "outbox" }
  | { readonly kind: "deadlines" }
  | { readonly kind: "reply"; readonly sessionId: string }
  | { readonly kind: "session_action"; readonly request: SessionAction }
  | { readonly kind: "ask_again"; readonly request: AskAgainRequest }
  | { readonly kind: "paused" }
  | { readonly kind: "prompt"; readonly promptId: string }
  /** A task may now be given to its session. */
  | { readonly kind: "tasks"; readonly sessionId: SessionId }
  /** Lists of sessions or the hub's status changed. */
  | { readonly kind: "overview" };
