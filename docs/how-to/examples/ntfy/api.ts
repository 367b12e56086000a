/** The calls that the channel makes, and what their failures mean. No error names a topic, a token or a text. */
import {
  type Clock,
  computeRetryAfterMs,
  DeliveryError,
  describeConnectionFailure,
  HttpClient,
  HttpError,
  type HttpReply,
  parseJson,
  readJsonLines,
  withTimeLimit,
} from "atlasbridge/sdk";
import type { NtfyConfig } from "./config.js";

/** Of an answer: the published message comes back whole. */
const ANSWER_BYTES_MAX = 64 * 1024;
/** A message has 4096 bytes; escaped and with all that may stand beside it far less than this. */
const LINE_MAX = 256 * 1024;
const PUBLISH_MS = 15_000;

export class NtfyApi {
  readonly #settings: NtfyConfig;
  readonly #clock: Clock;
  readonly #http: HttpClient;
  readonly #stop: AbortSignal;

  constructor(settings: NtfyConfig, clock: Clock, stop: AbortSignal) {
    this.#settings = settings;
    this.#clock = clock;
    this.#http = new HttpClient(clock);
    this.#stop = stop;
  }

  /** Errors: DeliveryError. */
  async publish(message: Readonly<Record<string, unknown>>): Promise<void> {
    const url = new URL(this.#settings.server);
    const body = JSON.stringify({ topic: this.#settings.topic, ...message });
    const reply = await this.#call(PUBLISH_MS, (stop) =>
      this.#http.post({ url, headers: this.#headers(), body, bodyBytesMax: ANSWER_BYTES_MAX, stop }),
    );
    // Whatever else answers here (a proxy, a login page) may have passed the message on or not.
    if (typeof (parseJson(reply.body.toString()) as { id?: unknown } | null)?.id !== "string")
      throw new DeliveryError("ntfy: the reply is not what was asked for", { certainty: "unknown" });
  }

  /** Errors: DeliveryError. */
  async probe(limitMs: number): Promise<void> {
    const url = new URL(`${this.#settings.server}/v1/health`);
    await this.#call(limitMs, (stop) =>
      this.#http.get({ url, headers: {}, bodyBytesMax: ANSWER_BYTES_MAX, stop }),
    );
  }

  /** All that comes to the reply topic after the message `since`, until the connection ends. Errors: HttpError; those of `fetch`. */
  async *follow(since: string, stop: AbortSignal): AsyncGenerator {
    const { server, reply_topic } = this.#settings;
    const { status, body } = await fetch(`${server}/${reply_topic}/json?since=${encodeURIComponent(since)}`, {
      headers: this.#headers(),
      redirect: "error",
      signal: AbortSignal.any([this.#stop, stop]),
    });
    if (status !== 200 || body === null) {
      await body?.cancel();
      throw new HttpError(`the service answers ${status}`);
    }
    yield* readJsonLines(body, LINE_MAX);
  }

  async #call(limitMs: number, send: (stop: AbortSignal) => Promise<HttpReply>): Promise<HttpReply> {
    const reply = await withTimeLimit(this.#clock, { limitMs, stop: this.#stop }, send).catch(
      (error: unknown) => {
        const { reason, certainty } = describeConnectionFailure(error);
        throw new DeliveryError(`ntfy: ${reason}`, { certainty });
      },
    );
    const { status, headers } = reply;
    if (status === 200) return reply;
    throw new DeliveryError(`ntfy: the service answers ${status}`, {
      certainty: status >= 500 ? "unknown" : "not_sent",
      retryAfterMs: computeRetryAfterMs(Number(headers["retry-after"])),
      // A token can be put right, and a limit passes; anything else would be refused again.
      permanent: status < 500 && ![401, 403, 408, 429].includes(status),
    });
  }

  #headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#settings.token}`, "content-type": "application/json" };
  }
}
