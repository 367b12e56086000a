/** Describes why a call failed, without tokens, addresses and message texts. Pure. */
import { DeliveryError, type Certainty } from "../../../src/sdk/channel.js";
import {
  computeRetryAfterMs,
  describeConnectionFailure,
} from "../../../src/sdk/service/connection-failure.js";

export type SlackFailureKind =
  /** The service asks us to wait. */
  | "rate_limited"
  /** The token is invalid, or lacks a permission. */
  | "unauthorized"
  /** Refused permanently: the same request will be refused again. */
  | "refused"
  /** 5xx, a broken connection, an invalid response: the effect is unknown. */
  | "lost"
  /** No connection was established: certainly no effect. */
  | "unreachable";

export interface SlackFailure {
  readonly kind: SlackFailureKind;
  /** Slack's error word, a system error's code, or our own text. */
  readonly reason: string;
  readonly retryAfterMs: number | null;
}

/** Thrown by `SlackApi`. Has no `cause`: the client's errors contain headers or foreign responses. */
export class SlackCallError extends Error {
  override readonly name = "CallError";
  readonly failure: SlackFailure;

  constructor(method: string, failure: SlackFailure) {
    super(`slack ${method}: ${failure.reason}`);
    this.failure = failure;
  }
}

const UNAUTHORIZED = new Set([
  "invalid_auth",
  "not_authed",
  "account_inactive",
  "token_revoked",
  "token_expired",
  "not_allowed_token_type",
  "missing_scope",
  "no_permission",
  "org_login_required",
  "team_disabled",
  "user_removed_from_team",
]);

/** According to Slack, part of the work may have been done. */
const PERHAPS_DONE = new Set(["fatal_error", "internal_error", "service_unavailable", "request_timeout"]);

/** What people can do about a refusal. */
const HINTS: Readonly<Record<string, string>> = {
  not_in_channel: "invite the app there: /invite @AtlasBridge",
  channel_not_found: "the app cannot see that conversation; invite it there, or correct deliver_to",
  is_archived: "that channel is archived: unarchive it, or correct deliver_to",
};

/** A response that lacks required data: the effect is unknown. */
export function createInvalidReplyError(method: string): SlackCallError {
  return new SlackCallError(method, createLostFailure("the response is invalid"));
}

export function createLostFailure(reason: string): SlackFailure {
  return { kind: "lost", reason, retryAfterMs: null };
}

/** Converts whatever the client threw to a failure. */
export function toFailure(error: unknown): SlackFailure {
  if (error instanceof SlackCallError) return error.failure;
  const data = getField(error, "data");
  if (getField(error, "code") === "slack_webapi_platform_error") return toRefusal(data);
  const retryAfter = getField(error, "retryAfter");
  if (typeof retryAfter === "number") return createRateLimited(retryAfter);
  const status = getField(error, "statusCode");
  if (typeof status === "number") return createHttpFailure(status);
  return toConnectionFailure(error);
}

function toRefusal(data: unknown): SlackFailure {
  const word = getField(data, "error");
  // A response that is no JSON arrives here completely, as the "error".
  if (typeof word !== "string" || !/^[a-z][a-z0-9_]{1,63}$/.test(word))
    return createLostFailure("the response is not from Slack");
  if (word === "ratelimited" || word === "rate_limited") return createRateLimited(null);
  if (PERHAPS_DONE.has(word)) return createLostFailure(word);
  const kind = UNAUTHORIZED.has(word) ? "unauthorized" : "refused";
  return { kind, reason: [word, ...listDetails(word, data)].join(" "), retryAfterMs: null };
}

function listDetails(word: string, data: unknown): string[] {
  const needed = getField(data, "needed");
  if (word === "missing_scope" && typeof needed === "string" && /^[a-z:.,_-]{1,128}$/.test(needed))
    return [`(${needed})`];
  const hint = HINTS[word];
  return hint === undefined ? [] : [`(${hint})`];
}

function createRateLimited(seconds: number | null): SlackFailure {
  return { kind: "rate_limited", reason: "ratelimited", retryAfterMs: computeRetryAfterMs(seconds) };
}

function createHttpFailure(status: number): SlackFailure {
  if (status === 429) return createRateLimited(null);
  return { kind: status >= 500 ? "lost" : "refused", reason: `HTTP ${status}`, retryAfterMs: null };
}

function toConnectionFailure(error: unknown): SlackFailure {
  const { reason, certainty } = describeConnectionFailure(error);
  return { kind: certainty === "not_sent" ? "unreachable" : "lost", reason, retryAfterMs: null };
}

function getField(value: unknown, name: string): unknown {
  return value !== null && typeof value === "object" ? (value as Record<string, unknown>)[name] : undefined;
}

/** Refusals that end when somebody invites the app. */
const RECOVERABLE = new Set(["not_in_channel"]);

/** Refusals of whatever is posted or edited there. */
const PLACE_CLOSED = new Set(["is_archived", "channel_not_found", "not_in_channel"]);

/** The failure in the core's terms: whether the effect is possible, when to retry, and whether a retry can help. */
export function toDeliveryError(error: unknown): unknown {
  if (!(error instanceof SlackCallError)) return error;
  const { kind, reason, retryAfterMs } = error.failure;
  const certainty: Certainty = kind === "lost" ? "unknown" : "not_sent";
  const permanent = kind === "refused" && !RECOVERABLE.has(getWord(reason));
  const isPlaceClosed = kind === "refused" && PLACE_CLOSED.has(getWord(reason));
  return new DeliveryError(error.message, { certainty, retryAfterMs, permanent, isPlaceClosed });
}

/** Whether the service refused with this word. */
export function isRefusedWith(error: unknown, ...words: readonly string[]): boolean {
  return error instanceof SlackCallError && words.includes(getWord(error.failure.reason));
}

function getWord(reason: string): string {
  return reason.split(" ")[0] ?? "";
}
