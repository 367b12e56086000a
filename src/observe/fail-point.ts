/**
 * Named steps on the way of an answer. The fault suite's own build stops a process at them, to kill it, fill its disk or cut its
 * line there; in the product nobody arms them, and they do nothing.
 */

export type FailPoint =
  | "stored"
  | "sent"
  | "tapped"
  | "spooled"
  | "claimed"
  | "before_text"
  | "between_text_and_enter"
  | "after_enter"
  | "receipt"
  | "settle"
  /** Every transaction begins; `subject` is its database. */
  | "transaction";

/** A promise holds up whoever can wait; the others are held up by a hook that does not return. */
export type FailHook = (point: FailPoint, subject?: unknown) => Promise<void> | undefined;

let hook: FailHook | null = null;

/** Only the fault suite's build calls this. */
export function armFailPoints(armed: FailHook): void {
  hook = armed;
}

/** Undefined in the product. What is returned is awaited where an event loop must go on meanwhile. */
export function failPoint(point: FailPoint, subject?: unknown): Promise<void> | undefined {
  return hook?.(point, subject);
}
