/** Named steps at which the fault suite's build kills a process, fills its disk or cuts its connection. Without effect in the product. */

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

/** A promise delays callers that can wait; other callers block until the hook returns. */
export type FailHook = (point: FailPoint, subject?: unknown) => Promise<void> | undefined;

let hook: FailHook | null = null;

export function armFailPoints(armed: FailHook): void {
  hook = armed;
}

/** Undefined in the product. */
export function failPoint(point: FailPoint, subject?: unknown): Promise<void> | undefined {
  return hook?.(point, subject);
}
