/** Why a channel's call failed, in the hub's terms. */

/** Whether a failed call may have had an effect. */
export type Certainty = "not_sent" | "unknown";

/**
 * Thrown by `deliver` and `settle`. `retryAfterMs` if the service specified it; `permanent` if a retry cannot help; `isPlaceClosed` if the
 * service refuses every message there, and not only this one.
 */
export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
  readonly certainty: Certainty;
  readonly retryAfterMs: number | null;
  readonly permanent: boolean;
  readonly isPlaceClosed: boolean;

  constructor(
    message: string,
    options: Pick<DeliveryError, "certainty"> &
      Partial<Pick<DeliveryError, "retryAfterMs" | "permanent" | "isPlaceClosed" | "cause">>,
  ) {
    super(message, { cause: options.cause });
    this.certainty = options.certainty;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.permanent = options.permanent ?? false;
    this.isPlaceClosed = options.isPlaceClosed ?? false;
  }
}
