/** The only way back to a request of the tool, whichever way it came. */

/**
 * `delivered`: the tool has read it. `unread`: the system has taken it for the tool, which has not shown that it read it. `gone`: the
 * tool had stopped waiting, and got nothing. `unknown`: nobody says any more what became of it.
 */
export type Delivery = "delivered" | "unread" | "gone" | "unknown";

/**
 * `answered`: somebody else answered it, and its dialog closes. `over`: it waits no more, and nothing tells whether that was an
 * answer. `lost`: nobody hears us any more; its dialog may stand.
 */
export type RequestEnd = "answered" | "over" | "lost";

export interface ReplyPath {
  /** The tool still waits. */
  readonly isOpen: boolean;
  /** Gives the tool this answer; null: no opinion, its own dialog decides. Once; afterwards, and when nobody waits, `gone`. */
  answer(json: object | null): Promise<Delivery>;
  /** Calls back when the tool stops waiting by itself (its time is over, the keyboard was faster); after `answer` only where that was too late. */
  onEnd(callback: (why: RequestEnd) => void): void;
}
