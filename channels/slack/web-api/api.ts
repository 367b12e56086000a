/** Calls to Slack through bolt's Web API client: one attempt each, watched, with errors that leak nothing. */
import { LogLevel, webApi, type Logger } from "@slack/bolt";
import type { Clock } from "../../../src/sdk/channel.js";
import { HttpClient, type HttpReply } from "../../../src/sdk/http.js";
import { belongsToService } from "../config.js";
import { SlackCallError, failureOf, hollowReply } from "./failure.js";
import { ANSWER_BYTES_MAX, type SlackTiming } from "../limits.js";

/** The clients would print what they carry; what deserves a log line is logged by us. */
export const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setName: () => undefined,
};

/** Retries are the outbox's: it knows what may be sent twice. */
export function clientOptions(http: HttpClient, apiUrl: string, timeoutMs: number) {
  return {
    slackApiUrl: apiUrl,
    allowAbsoluteUrls: false,
    fetch: boundedFetch(http),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: timeoutMs,
  } as const;
}

/** The client's way to the network: of an answer it gets no more than we have read and bounded. */
function boundedFetch(http: HttpClient): typeof fetch {
  return async (address, init) => {
    const { headers, body, signal } = init ?? {};
    const reply = await http.post({
      url: new URL(address instanceof Request ? address.url : address),
      headers: headers as Record<string, string>,
      body: typeof body === "string" ? body : "",
      bodyBytesMax: ANSWER_BYTES_MAX,
      stop: signal ?? new AbortController().signal,
    });
    return responseOf(reply);
  };
}

/** What the client reads beside the body. A type of content is not among it: the client would unpack some. */
const WANTED_HEADERS: readonly string[] = ["retry-after", "x-oauth-scopes", "x-accepted-oauth-scopes"];

function responseOf({ status, headers, body }: HttpReply): Response {
  const wanted = WANTED_HEADERS.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  // A status that cannot have a body, or that is none, is nothing that this service answers with.
  const isUsual = status === 200 || (status >= 400 && status < 600);
  return new Response(new Uint8Array(body), { status: isUsual ? status : 502, headers: wanted });
}

export type SlackReply = Readonly<Record<string, unknown>>;

/** What counts against the pace of a conversation, and the argument that names it. */
const WRITING: ReadonlyMap<string, string> = new Map([
  ["chat.postMessage", "channel"],
  ["chat.postEphemeral", "channel"],
  ["chat.update", "channel"],
  ["files.completeUploadExternal", "channel_id"],
]);

export class SlackApi {
  readonly apiUrl: string;
  readonly http: HttpClient;
  readonly #patient: webApi.WebClient;
  readonly #quick: webApi.WebClient;
  readonly #timing: SlackTiming;
  readonly #wrote: (channel: string) => void;

  /** `wrote` hears of every call that people in a conversation may see. */
  constructor(
    botToken: string,
    apiUrl: string,
    { clock, timing }: { readonly clock: Clock; readonly timing: SlackTiming },
    wrote: (channel: string) => void,
  ) {
    this.#wrote = wrote;
    this.apiUrl = apiUrl;
    const http = new HttpClient(clock);
    this.http = http;
    this.#timing = timing;
    const make = (timeoutMs: number): webApi.WebClient =>
      new webApi.WebClient(botToken, { ...clientOptions(http, apiUrl, timeoutMs), logger: SILENT });
    this.#patient = make(timing.callMs);
    this.#quick = make(timing.answerMs);
  }

  /** Errors: CallError. */
  call(method: string, given: Readonly<Record<string, unknown>>): Promise<SlackReply> {
    return this.#call(this.#patient, method, given);
  }

  /** For what happens while a person looks. Errors: CallError. */
  callNow(method: string, given: Readonly<Record<string, unknown>>): Promise<SlackReply> {
    return this.#call(this.#quick, method, given);
  }

  /** Brings the bytes of a file to the address that the service named. Errors: CallError. */
  upload(address: string, bytes: Uint8Array): Promise<void> {
    const type = "application/octet-stream";
    return this.#post("upload", address, bytes, type, this.#timing.uploadMs);
  }

  /** Says something through the address that came with an interaction. Errors: CallError. */
  respond(address: string, message: Readonly<Record<string, unknown>>): Promise<void> {
    const body = Buffer.from(JSON.stringify(message), "utf8");
    return this.#post("response", address, body, "application/json", this.#timing.answerMs);
  }

  async #call(
    client: webApi.WebClient,
    method: string,
    given: Readonly<Record<string, unknown>>,
  ): Promise<SlackReply> {
    const named = WRITING.get(method);
    if (named !== undefined) this.#wrote(String(given[named]));
    try {
      return { ...(await client.apiCall(method, { ...given })) };
    } catch (error) {
      throw new SlackCallError(method, failureOf(error));
    }
  }

  async #post(what: string, address: string, body: Uint8Array, type: string, limitMs: number): Promise<void> {
    if (!belongsToService(address, this.apiUrl)) throw hollowReply(what);
    let status: number;
    try {
      ({ status } = await this.http.post({
        url: new URL(address),
        headers: { "content-type": type },
        body,
        bodyBytesMax: ANSWER_BYTES_MAX,
        stop: AbortSignal.timeout(limitMs),
      }));
    } catch (error) {
      throw new SlackCallError(what, failureOf(error));
    }
    if (status !== 200) throw new SlackCallError(what, failureOf({ statusCode: status }));
  }
}
