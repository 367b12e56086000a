/**
 * Named steps of an answer. The fault suite's own build stops a process at them to kill it, fill its disk or cut its
 * connection; in the product they are never armed and do nothing.
 */

export type FailPoint =
  | "stored"
  | "sent"
  | "tapped"
  | "inbox_stored"
  | "claimed"
  | "before_text"
  | "between_text_and_enter"
  | "after_enter"
  | "receipt"
  | "settle"
  /** Every transaction begins; `subject` is its database. */
  | "transaction";

/** Returning a promise delays callers that can wait; the others are blocked by a hook that does not return. */
export type FailHook = (point: FailPoint, subject?: unknown) => Promise<void> | undefined;

let hook: FailHook | null = null;

/** Called only by the fault suite's build. */
export function armFailPoints(armed: FailHook): void {
  hook = armed;
}

/** Undefined in the product. A returned promise is awaited where the event loop must continue. */
export function failPoint(point: FailPoint, subject?: unknown): Promise<void> | undefined {
  return hook?.(point, subject);
}
