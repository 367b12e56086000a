/** Why a call to a service failed before it was answered, and whether it may have had an effect. Pure. */
import type { Certainty } from "../delivery-error.js";
import { HttpError } from "../http.js";

/** Why a call failed. */
export interface ConnectionFailure {
  /** A system error's code, or our own text: never text of the request or of the service. */
  readonly reason: string;
  readonly certainty: Certainty;
}

/** These errors occur before any byte of the request was sent. */
const NOT_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "UND_ERR_CONNECT_TIMEOUT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
]);

/** How deep an error may be wrapped before its cause is ignored. */
const CAUSES_MAX = 6;

/** Clients wrap the system's error, as its `cause` or as `original`. Anything unknown may have had an effect. */
export function describeConnectionFailure(error: unknown): ConnectionFailure {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause !== undefined; depth += 1) {
    if (cause instanceof HttpError) return { reason: cause.message, certainty: "unknown" };
    const name = getField(cause, "name");
    if (name === "TimeoutError" || name === "AbortError")
      return { reason: "no response in time", certainty: "unknown" };
    const code = getField(cause, "code");
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]{1,63}$/.test(code))
      return { reason: code, certainty: NOT_CONNECTED.has(code) ? "not_sent" : "unknown" };
    cause = getField(cause, "original") ?? getField(cause, "cause");
  }
  return { reason: "the connection broke", certainty: "unknown" };
}

/** A service that errs must not keep a card back for days. */
const RETRY_AFTER_MAX_MS = 3_600_000;

/** `seconds`: what the service asks us to wait, at most an hour is believed. Null where it asks nothing usable. */
export function computeRetryAfterMs(seconds: unknown): number | null {
  if (typeof seconds !== "number" || !(seconds > 0)) return null;
  return Math.min(seconds * 1_000, RETRY_AFTER_MAX_MS);
}

function getField(value: unknown, name: string): unknown {
  return value !== null && typeof value === "object" ? (value as Record<string, unknown>)[name] : undefined;
}
