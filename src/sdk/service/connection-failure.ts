/** Why a call to a service failed before it was answered, and whether it may have had an effect. Pure. */
import type { Certainty } from "../delivery-error.js";
import { HttpError } from "../http.js";

/** Why a call failed. */
export interface ConnectionFailure {
  /** Words for people, or the code of a rare system error: never text of the request or of the service. */
  readonly reason: string;
  readonly certainty: Certainty;
}

const NO_NETWORK = "no network";
const NO_NAME = "no network: the server's name was not found";
const NOT_IN_TIME = "no response in time";
const BROKEN = "the connection broke";

/** These errors occur before any byte of the request was sent. */
const NOT_CONNECTED: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the server refuses connections",
  ENOTFOUND: NO_NAME,
  EAI_AGAIN: NO_NAME,
  EHOSTUNREACH: NO_NETWORK,
  ENETUNREACH: NO_NETWORK,
  ENETDOWN: NO_NETWORK,
  UND_ERR_CONNECT_TIMEOUT: NOT_IN_TIME,
};

/** Also before any byte of the request. */
const BAD_CERTIFICATE =
  /^(?:ERR_TLS_CERT_ALTNAME_INVALID|CERT_HAS_EXPIRED|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT(?:_IN_CHAIN)?|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT_LOCALLY))$/;

/** After these errors the request may have had an effect. */
const LOST: Readonly<Record<string, string>> = {
  ECONNRESET: BROKEN,
  EPIPE: BROKEN,
  UND_ERR_SOCKET: BROKEN,
  ETIMEDOUT: NOT_IN_TIME,
};

/** How deep an error may be wrapped before its cause is ignored. */
const CAUSES_MAX = 6;

/** Clients wrap the system's error, as its `cause` or as `original`. Anything unknown may have had an effect. */
export function describeConnectionFailure(error: unknown): ConnectionFailure {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause !== undefined; depth += 1) {
    if (cause instanceof HttpError) return { reason: cause.message, certainty: "unknown" };
    const name = getField(cause, "name");
    if (name === "TimeoutError" || name === "AbortError")
      return { reason: NOT_IN_TIME, certainty: "unknown" };
    const code = getField(cause, "code");
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]{1,63}$/.test(code)) {
      const reason = BAD_CERTIFICATE.test(code)
        ? `its certificate is not accepted (${code})`
        : NOT_CONNECTED[code];
      if (reason !== undefined) return { reason, certainty: "not_sent" };
      return { reason: LOST[code] ?? code, certainty: "unknown" };
    }
    cause = getField(cause, "original") ?? getField(cause, "cause");
  }
  return { reason: BROKEN, certainty: "unknown" };
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
