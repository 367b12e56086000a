/** The only way to answer a request of the tool, whether it came from a hook or a protocol. */

/**
 * `delivered`: the tool has read it. `unread`: the kernel has accepted it for the tool, which has not shown that it read it. `gone`: the
 * tool had stopped waiting, and got nothing. `unknown`: nothing tells any more what happened to it.
 */
export type Delivery = "delivered" | "unread" | "gone" | "unknown";

/**
 * `answered`: somebody else answered it, and its dialog closes. `over`: it no longer waits, and nothing tells whether that was an
 * answer. `lost`: the connection ended; its dialog may still be on the screen.
 */
export type RequestEnd = "answered" | "over" | "lost";

export interface ReplyPath {
  readonly isOpen: boolean;
  /** Sends the answer; null leaves the decision to the tool's own dialog. A second call returns `gone`. */
  answer(json: object | null): Promise<Delivery>;
  /** `callback` is called when the tool stops waiting without an answer of ours, or before ours arrived. */
  onEnd(callback: (why: RequestEnd) => void): void;
}
