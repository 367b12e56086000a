/** telegraf's client over our own HTTP: telegraf's follows redirects, has no limits, and does not notice a truncated response (ADR 6). */
import { Telegram, TelegramError } from "telegraf";
import type * as tg from "telegraf/types";
import type { Clock } from "../../../src/sdk/channel.js";
import { HttpClient, HttpError, type HttpReply } from "../../../src/sdk/http.js";
import { ANSWER_BYTES_MAX, UPDATES_BYTES_MAX } from "../limits.js";

type ClientMethod = keyof tg.Telegram;
type CallApi = Telegram["callApi"];
type Result<M extends ClientMethod> = Awaited<ReturnType<CallApi>> & ReturnType<tg.Telegram[M]>;

interface Encoded {
  readonly type: string;
  readonly body: string | Uint8Array;
}

export class BoundedTelegram extends Telegram {
  readonly #http: HttpClient;

  constructor(token: string, apiRoot: string, clock: Clock) {
    super(token, { apiRoot, webhookReply: false });
    this.#http = new HttpClient(clock);
  }

  /** All of telegraf's methods come through here. Errors: TelegramError for a refusal; HttpError and the system's. */
  override async callApi<M extends ClientMethod>(
    method: M,
    payload: tg.Opts<M>,
    { signal }: Parameters<CallApi>[2] = {},
  ): Promise<Result<M>> {
    const { type, body } = await encode(payload);
    const reply = await this.#http.post({
      url: new URL(`./bot${this.token}/${method}`, this.options.apiRoot),
      headers: { "content-type": type },
      body,
      bodyBytesMax: method === "getUpdates" ? UPDATES_BYTES_MAX : ANSWER_BYTES_MAX,
      stop: (signal as AbortSignal | undefined) ?? new AbortController().signal,
    });
    return parseResult(reply) as Result<M>;
  }
}

function parseResult({ status, statusText, body }: HttpReply): unknown {
  if (status >= 500) throw new TelegramError({ error_code: status, description: statusText });
  const answer = parse(body);
  if (answer.ok === true) return answer.result;
  throw new TelegramError(answer as unknown as ConstructorParameters<typeof TelegramError>[0]);
}

function parse(body: Buffer): { readonly ok?: unknown; readonly result?: unknown } {
  try {
    const answer: unknown = JSON.parse(body.toString("utf8"));
    if (answer !== null && typeof answer === "object") return answer;
  } catch {
    // The error is thrown below.
  }
  throw new HttpError("the response is not JSON");
}

/** As JSON, or as a form if a file is included. */
async function encode(payload: object): Promise<Encoded> {
  const fields = Object.entries(payload).filter(([, value]) => value !== null && value !== undefined);
  if (!fields.some(([, value]) => isFile(value)))
    return { type: "application/json", body: JSON.stringify(Object.fromEntries(fields)) };
  const form = new FormData();
  for (const [name, value] of fields) {
    if (isFile(value)) form.set(name, new Blob([new Uint8Array(value.source)]), value.filename);
    else form.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  const encoded = new Response(form);
  return {
    type: encoded.headers.get("content-type") ?? "",
    body: Buffer.from(await encoded.arrayBuffer()),
  };
}

function isFile(value: unknown): value is { readonly source: Buffer; readonly filename: string } {
  return (
    value !== null && typeof value === "object" && "source" in value && value.source instanceof Uint8Array
  );
}
