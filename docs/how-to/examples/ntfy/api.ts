/** The two calls that the channel makes, and what their failures mean. No error names a topic, a token or a text. */
import { DeliveryError, type Clock } from "../../../../src/sdk/channel.js";
import { HttpClient, HttpError, type HttpReply } from "../../../../src/sdk/http.js";
import type { NtfySettings } from "./config.js";

/** Of an answer: the published message comes back whole. */
const ANSWER_BYTES_MAX = 64 * 1024;
const CALL_MS = 15_000;
const RETRY_AFTER_MAX_MS = 3_600_000;

/** These fail before a single byte has left. */
const NOT_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "CERT_HAS_EXPIRED",
]);

/** The status of an answer that is none of those we want. */
export class RefusedStatus extends Error {
  override readonly name = "RefusedStatus";
  readonly status: number;

  constructor(status: number) {
    super(`the service answers ${status}`);
    this.status = status;
  }
}

export class NtfyApi {
  readonly #settings: NtfySettings;
  readonly #clock: Clock;
  readonly #client: HttpClient;
  readonly #stop: AbortSignal;

  constructor(settings: NtfySettings, clock: Clock, stop: AbortSignal) {
    this.#settings = settings;
    this.#clock = clock;
    this.#client = new HttpClient(clock);
    this.#stop = stop;
  }

  /** Errors: DeliveryError. */
  async publish(message: Readonly<Record<string, unknown>>): Promise<void> {
    const limit = new AbortController();
    const cancel = this.#clock.after(CALL_MS, () => limit.abort());
    try {
      const reply = await this.#client.post({
        url: new URL(this.#settings.server),
        headers: { "content-type": "application/json", ...this.#authorization() },
        body: JSON.stringify(message),
        bodyBytesMax: ANSWER_BYTES_MAX,
        stop: AbortSignal.any([this.#stop, limit.signal]),
      });
      checkPublished(reply);
    } catch (error) {
      throw error instanceof DeliveryError ? error : deliveryErrorOf(error);
    } finally {
      cancel();
    }
  }

  /** The answer to a GET, whose body may go on for ever. Errors: RefusedStatus; those of the network. */
  async get(path: string, stop: AbortSignal): Promise<Response> {
    const signal = AbortSignal.any([this.#stop, stop]);
    const response = await fetch(`${this.#settings.server}/${path}`, {
      headers: this.#authorization(),
      redirect: "error",
      signal,
    });
    if (response.status === 200) return response;
    await response.body?.cancel();
    throw new RefusedStatus(response.status);
  }

  #authorization(): Record<string, string> {
    const { token } = this.#settings;
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  }
}

function checkPublished({ status, headers, body }: HttpReply): void {
  if (status === 200) {
    if (isPublished(body.toString())) return;
    throw new DeliveryError("ntfy: the reply is not what was asked for", { certainty: "unknown" });
  }
  const seconds = Number(headers["retry-after"]);
  throw new DeliveryError(`ntfy: the service answers ${status}`, {
    certainty: status >= 500 ? "unknown" : "not_sent",
    retryAfterMs: seconds > 0 ? Math.min(seconds * 1_000, RETRY_AFTER_MAX_MS) : null,
    // A token can be put right, and a limit passes; anything else would be refused again.
    permanent: status < 500 && ![401, 403, 408, 429].includes(status),
  });
}

function isPublished(body: string): boolean {
  try {
    return typeof (JSON.parse(body) as { id?: unknown } | null)?.id === "string";
  } catch {
    return false;
  }
}

export function deliveryErrorOf(error: unknown): DeliveryError {
  const certainty =
    NOT_CONNECTED.has(codeOf(error)) || error instanceof RefusedStatus ? "not_sent" : "unknown";
  return new DeliveryError(`ntfy: ${reasonOf(error)}`, { certainty });
}

/** In words that hold nothing of the request. */
export function reasonOf(error: unknown): string {
  if (error instanceof HttpError || error instanceof RefusedStatus) return error.message;
  return codeOf(error) || "the connection broke";
}

/** `fetch` hides the error of the system in its cause. */
function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === "string" && /^[A-Z][A-Z0-9_]{1,63}$/.test(code)) return code;
  return cause === undefined || cause === null ? "" : codeOf(cause);
}
