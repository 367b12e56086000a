/** Calls Slack through bolt's Web API client: one attempt each, with a time limit, and errors that leak nothing. */
import { LogLevel, webApi, type Logger } from "@slack/bolt";
import type { Clock } from "../../../src/sdk/channel.js";
import { HttpClient, type HttpReply } from "../../../src/sdk/http.js";
import { belongsToService } from "../config.js";
import { SlackCallError, toFailure, createInvalidReplyError } from "./failure.js";
import { ANSWER_BYTES_MAX, type SlackTiming } from "../limits.js";

/** The clients would print their contents; we log what deserves a line. */
export const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setName: () => undefined,
};

/** Retries are left to the outbox, which knows what may be sent twice. */
export function buildClientOptions(http: HttpClient, apiUrl: string, timeoutMs: number) {
  return {
    slackApiUrl: apiUrl,
    allowAbsoluteUrls: false,
    fetch: createBoundedFetch(http),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: timeoutMs,
  } as const;
}

/** The client's access to the network: it receives only responses that were read within our limits. */
function createBoundedFetch(http: HttpClient): typeof fetch {
  return async (address, init) => {
    const { headers, body, signal } = init ?? {};
    const reply = await http.post({
      url: new URL(address instanceof Request ? address.url : address),
      headers: headers as Record<string, string>,
      body: typeof body === "string" ? body : "",
      bodyBytesMax: ANSWER_BYTES_MAX,
      stop: signal ?? new AbortController().signal,
    });
    return toResponse(reply);
  };
}

/** The headers that the client reads. The content type is omitted, because the client would decompress some types. */
const WANTED_HEADERS: readonly string[] = ["retry-after", "x-oauth-scopes", "x-accepted-oauth-scopes"];

function toResponse({ status, headers, body }: HttpReply): Response {
  const wantedHeaders = WANTED_HEADERS.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  // A status without a body, or an invalid one, is not a valid response of this service.
  const isUsual = status === 200 || (status >= 400 && status < 600);
  return new Response(new Uint8Array(body), { status: isUsual ? status : 502, headers: wantedHeaders });
}

export type SlackReply = Readonly<Record<string, unknown>>;

/** The methods that count against a conversation's rate limit, with the argument that names it. */
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

  /** `wrote` is called for every call that people in a conversation may see. */
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
      new webApi.WebClient(botToken, { ...buildClientOptions(http, apiUrl, timeoutMs), logger: SILENT });
    this.#patient = make(timing.callMs);
    this.#quick = make(timing.answerMs);
  }

  /** Errors: SlackCallError. */
  call(method: string, given: Readonly<Record<string, unknown>>): Promise<SlackReply> {
    return this.#call(this.#patient, method, given);
  }

  /** For calls that a person waits for. Errors: SlackCallError. */
  callNow(method: string, given: Readonly<Record<string, unknown>>): Promise<SlackReply> {
    return this.#call(this.#quick, method, given);
  }

  /** Uploads a file's bytes to the address that the service provided. Errors: SlackCallError. */
  upload(address: string, bytes: Uint8Array): Promise<void> {
    const type = "application/octet-stream";
    return this.#post("upload", address, bytes, type, this.#timing.uploadMs);
  }

  /** Responds through the address in an interaction. Errors: SlackCallError. */
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
      throw new SlackCallError(method, toFailure(error));
    }
  }

  async #post(what: string, address: string, body: Uint8Array, type: string, limitMs: number): Promise<void> {
    if (!belongsToService(address, this.apiUrl)) throw createInvalidReplyError(what);
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
      throw new SlackCallError(what, toFailure(error));
    }
    if (status !== 200) throw new SlackCallError(what, toFailure({ statusCode: status }));
  }
}
