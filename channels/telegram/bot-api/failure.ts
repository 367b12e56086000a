/** Describes why a call failed, without tokens, addresses and message texts. Pure. */
import { DeliveryError, type Certainty } from "../../../src/sdk/channel.js";
import {
  computeRetryAfterMs,
  describeConnectionFailure,
} from "../../../src/sdk/service/connection-failure.js";
import { makePrintable } from "../../../src/sdk/text.js";
import { REASON_MAX } from "../limits.js";

export type TelegramFailureKind =
  /** 429. */
  | "rate_limited"
  /** 401, or 404 for a token or root that the service does not know. */
  | "unauthorized"
  /** 409: another poller, or a webhook. */
  | "conflict"
  /** Any other 4xx: the same request will be refused again. */
  | "refused"
  /** 5xx, a broken connection, an invalid response: the effect is unknown. */
  | "lost"
  /** No connection was established: certainly no effect. */
  | "unreachable";

export interface TelegramFailure {
  readonly kind: TelegramFailureKind;
  /** HTTP status or null. */
  readonly status: number | null;
  readonly reason: string;
  readonly retryAfterMs: number | null;
}

/** Thrown by `BotApi.call`. Has no `cause`: telegraf's errors contain the address with the token, and the payload. */
export class TelegramCallError extends Error {
  override readonly name = "CallError";
  readonly failure: TelegramFailure;

  constructor(method: string, failure: TelegramFailure) {
    super(`telegram ${method}: ${failure.reason}`);
    this.failure = failure;
  }
}

interface ApiRefusal {
  readonly error_code: number;
  readonly description?: unknown;
  readonly parameters?: { readonly retry_after?: unknown; readonly migrate_to_chat_id?: unknown };
}

/** A response that lacks required data: the effect is unknown. */
export function createInvalidReplyError(method: string): TelegramCallError {
  return new TelegramCallError(method, {
    kind: "lost",
    status: 200,
    reason: "the response is invalid",
    retryAfterMs: null,
  });
}

/** Converts whatever telegraf threw to a failure. `token`: of the call; a service may repeat it. */
export function toFailure(error: unknown, token: string): TelegramFailure {
  const response = getField(error, "response");
  if (isRefusal(response)) return toRefusal(response, token);
  const { reason, certainty } = describeConnectionFailure(error);
  return {
    kind: certainty === "not_sent" ? "unreachable" : "lost",
    status: null,
    reason,
    retryAfterMs: null,
  };
}

function toRefusal(response: ApiRefusal, token: string): TelegramFailure {
  const { error_code: status } = response;
  return {
    kind: classifyStatus(status),
    status,
    reason: describeReason(response, token),
    retryAfterMs: computeRetryAfterMs(response.parameters?.retry_after),
  };
}

function classifyStatus(status: number): TelegramFailureKind {
  if (status === 429) return "rate_limited";
  if (status === 401 || status === 404) return "unauthorized";
  if (status === 409) return "conflict";
  return status >= 500 ? "lost" : "refused";
}

/** The service quotes our text in its descriptions ("Unsupported start tag \"…\""): text after a quote must not be logged. */
function describeReason(response: ApiRefusal, token: string): string {
  const { description, parameters, error_code: status } = response;
  const told =
    typeof description === "string"
      ? makePrintable(hide(description.split('"', 1)[0] ?? "", token).trim(), REASON_MAX)
      : "";
  const moved = parameters?.migrate_to_chat_id;
  const hint = typeof moved === "number" ? `; its new chat id is ${moved}` : "";
  return `${status} ${told || "without a description"}${hint}`;
}

/** It may have no form by which it is known as a secret. */
function hide(text: string, token: string): string {
  return text.replaceAll(token, `[${token.length} hidden]`);
}

function getField(value: unknown, name: string): unknown {
  return value !== null && typeof value === "object" ? (value as Record<string, unknown>)[name] : undefined;
}

function isRefusal(value: unknown): value is ApiRefusal {
  return Number.isSafeInteger(getField(value, "error_code"));
}

/** Refusals of whatever is sent or edited there. */
const PLACE_CLOSED = ["chat not found", "bot was blocked", "bot was kicked", "user is deactivated"];

/** The failure in the core's terms: whether the effect is possible, when to retry, and whether a retry can help. */
export function toDeliveryError(error: unknown): unknown {
  if (!(error instanceof TelegramCallError)) return error;
  const { kind, retryAfterMs } = error.failure;
  const certainty: Certainty = kind === "lost" ? "unknown" : "not_sent";
  const isPlaceClosed = PLACE_CLOSED.some((words) => isRefusedWith(error, words));
  return new DeliveryError(error.message, {
    certainty,
    retryAfterMs,
    permanent: kind === "refused",
    isPlaceClosed,
  });
}

/** The service could not parse our markup. */
export function isMarkupRefusal(error: unknown): boolean {
  return isRefusedWith(error, "can't parse entities");
}

/** The picture is too long and narrow for a photo. */
export function isPhotoRefusal(error: unknown): boolean {
  return isRefusedWith(error, "PHOTO_INVALID_DIMENSIONS");
}

/** "Already so": an edit that changes nothing, or of a deleted card. */
export function isHarmlessEditRefusal(error: unknown): boolean {
  return isRefusedWith(error, "message is not modified") || isRefusedWith(error, "message to edit not found");
}

/** The message's topic was deleted, or is closed to us; nothing was posted. */
export function isLostTopic(error: unknown): boolean {
  return isRefusedWith(error, "message thread not found") || isRefusedWith(error, "TOPIC_CLOSED");
}

/** The same call would be refused again. */
export function isRefused(error: unknown): boolean {
  return error instanceof TelegramCallError && error.failure.kind === "refused";
}

export function isAlreadyDeleted(error: unknown): boolean {
  return isRefusedWith(error, "message to delete not found");
}

export function isStaleQuery(error: unknown): boolean {
  return isRefusedWith(error, "query is too old");
}

export function isWebhookConflict(failure: TelegramFailure): boolean {
  return failure.kind === "conflict" && failure.reason.includes("webhook");
}

/** Another program polls with this token. */
export function isRivalConflict(failure: TelegramFailure): boolean {
  return failure.kind === "conflict" && !isWebhookConflict(failure);
}

function isRefusedWith(error: unknown, words: string): boolean {
  return (
    error instanceof TelegramCallError &&
    error.failure.kind === "refused" &&
    error.failure.reason.includes(words)
  );
}
