/** What a commit changed, told to the rest of the hub after it. */
import type { SessionId } from "../../model/ids.js";
import { type PromptId } from "../../model/ids.js";

export interface SessionAction {
  /** `picture`: the screen, but only where it can be drawn. */
  readonly wish: "screen" | "picture" | "stop";
  readonly sessionId: SessionId;
  /** Where it was asked, and is told. */
  readonly channel: string;
  readonly place: string;
}

export interface AskAgainRequest {
  readonly promptId: PromptId;
  /** Where it was wished, and is told. */
  readonly channel: string;
  readonly place: string;
}

/** What a commit changed. A crash may lose any of it: `errand` and `again` are lost for good, all else is found again in the store. */
export type DomainEvent =
  /** A channel works that did not: what failed on it before may go through now. */
  | { readonly kind: "connected"; readonly channel: string }
  | { readonly kind: "outbox" }
  | { readonly kind: "deadlines" }
  | { readonly kind: "reply"; readonly sessionId: string }
  | { readonly kind: "errand"; readonly errand: SessionAction }
  | { readonly kind: "again"; readonly wish: AskAgainRequest }
  | { readonly kind: "paused" }
  | { readonly kind: "prompt"; readonly promptId: string }
  /** What people told a session to do next may go to it now. */
  | { readonly kind: "tasks"; readonly sessionId: SessionId }
  /** What lists show of sessions, or of the hub itself. */
  | { readonly kind: "overview" };
