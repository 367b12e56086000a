/**
 * A server of ntfy that takes what ntfy takes and refuses what it refuses, in its words: publishing as JSON and as plain text, one
 * stream of lines a subscriber, a cache to go on from, tokens that may read or write a topic. Not played: attachments and delays.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import { EmulatedService, type RequestRecord } from "../http/emulated-service.js";

export interface NtfyAction {
  readonly action: string;
  readonly label: string;
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly clear?: boolean;
}

export interface NtfyMessage {
  readonly id: string;
  readonly time: number;
  readonly event: "message";
  readonly topic: string;
  readonly message: string;
  readonly title?: string;
  readonly priority?: number;
  readonly actions?: readonly NtfyAction[];
}

/** What a token may do, topic by topic; `null` is everybody. */
export type Grant = { readonly token: string | null; readonly topic: string; readonly may: "read" | "write" };
type PublishFault =
  "hang" | "drop-after-effect" | { readonly status: number; readonly headers?: Record<string, string> };

const TOPIC = /^[-_A-Za-z0-9]{1,64}$/;
const MESSAGE_BYTES_MAX = 4_096;
const JSON_BYTES_MAX = 2 * MESSAGE_BYTES_MAX;
const ACTIONS_MAX = 3;

class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

type Call = RequestRecord<PublishFault>;

export class NtfyEmulator extends EmulatedService<PublishFault, Call> {
  readonly messages: NtfyMessage[] = [];
  readonly #grants: readonly Grant[];
  readonly #streams = new Set<{ readonly topic: string; readonly response: ServerResponse }>();
  #count = 0;

  private constructor(grants: readonly Grant[]) {
    super();
    this.#grants = grants;
  }

  static async start(grants: readonly Grant[]): Promise<NtfyEmulator> {
    const emulator = new NtfyEmulator(grants);
    await emulator.restore();
    return emulator;
  }

  on(topic: string): NtfyMessage[] {
    return this.messages.filter((message) => message.topic === topic);
  }

  /** What the app on a phone does when somebody presses a button; with an outage it tries again until it is heard. */
  async press({ url, method = "POST", headers = {}, body = "" }: NtfyAction): Promise<NtfyMessage> {
    const target = url.replace(/^http:\/\/127\.0\.0\.1:\d+/, "");
    for (;;) {
      const reply = await fetch(`${this.origin}${target}`, { method, headers, body }).catch(() => null);
      if (reply?.ok) return (await reply.json()) as NtfyMessage;
      if (reply) throw new Error(`${reply.status} ${await reply.text()}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** The same line once more, to everybody who listens. */
  repeat(message: NtfyMessage): void {
    for (const { topic, response } of this.#streams)
      if (topic === message.topic) response.write(`${JSON.stringify(message)}\n`);
  }

  writeLine(line: string): void {
    for (const { response } of this.#streams) response.write(`${line}\n`);
  }

  stop(): Promise<void> {
    return this.outage();
  }

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", this.origin);
    const record: Call = { method: pathname, at: performance.now(), status: null, fault: null };
    this.requests.push(record);
    try {
      const [topic = "", kind, ...more] = pathname.slice(1).split("/");
      const isPost = request.method === "POST";
      if (pathname === "/v1/health") this.reply(response, record, 200, { healthy: true });
      else if (isPost && pathname === "/") await this.#publishJson(request, response, record);
      else if (!TOPIC.test(topic) || more.length > 0) throw new Refusal(40401, "page not found");
      else if (isPost && kind === undefined) {
        this.#authorize(request, topic, "write");
        const message = await readBody(request, MESSAGE_BYTES_MAX, 40014);
        this.reply(response, record, 200, this.#publish(topic, { message }));
      } else if (request.method === "GET" && kind === "json") {
        this.#authorize(request, topic, "read");
        this.#stream(topic, searchParams.get("since"), response);
      } else throw new Refusal(40401, "page not found");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const http = Math.floor(error.code / 100);
      this.reply(response, record, http, { code: error.code, http, error: error.message });
    }
  }

  async #publishJson(request: IncomingMessage, response: ServerResponse, record: Call): Promise<void> {
    const body = parseBody(await readBody(request, JSON_BYTES_MAX, 41303));
    const { topic, message, title, priority, actions } = body as Partial<NtfyMessage>;
    if (typeof topic !== "string" || !TOPIC.test(topic))
      throw new Refusal(40009, "invalid request: topic invalid");
    this.#authorize(request, topic, "write");
    if (Buffer.byteLength(message ?? "") > MESSAGE_BYTES_MAX)
      throw new Refusal(40014, "invalid request: attachments not allowed");
    if (priority !== undefined && ![1, 2, 3, 4, 5].includes(priority))
      throw new Refusal(40007, "invalid priority parameter");
    checkActions(actions ?? []);
    const fault = this.takeFault("publish");
    if (fault === "hang") return;
    if (fault !== null && typeof fault === "object") {
      this.reply(response, record, fault.status, {}, fault.headers);
      return;
    }
    const published = this.#publish(topic, {
      message: message ?? "triggered",
      ...(title === undefined ? {} : { title }),
      ...(priority === undefined ? {} : { priority }),
      ...(actions === undefined ? {} : { actions }),
    });
    if (fault === "drop-after-effect") request.socket.destroy();
    else this.reply(response, record, 200, published);
  }

  #publish(
    topic: string,
    words: Pick<NtfyMessage, "message" | "title" | "priority" | "actions">,
  ): NtfyMessage {
    this.#count += 1;
    const id = `m${String(this.#count).padStart(11, "0")}`;
    const message = { id, time: Math.floor(Date.now() / 1_000), event: "message", topic, ...words } as const;
    this.messages.push(message);
    this.repeat(message);
    this.changed();
    return message;
  }

  #stream(topic: string, since: string | null, response: ServerResponse): void {
    response.writeHead(200, { "content-type": "application/x-ndjson; charset=utf-8" });
    response.write(`${JSON.stringify({ id: "open00000000", time: 1, event: "open", topic })}\n`);
    const all = this.on(topic);
    // An id that is not known stands for all that there is.
    const cached = since === null ? [] : all.slice(all.findIndex(({ id }) => id === since) + 1);
    for (const message of cached) response.write(`${JSON.stringify(message)}\n`);
    const stream = { topic, response };
    this.#streams.add(stream);
    response.on("close", () => this.#streams.delete(stream));
  }

  #authorize(request: IncomingMessage, topic: string, may: Grant["may"]): void {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? null;
    if (token !== null && !this.#grants.some((grant) => grant.token === token))
      throw new Refusal(40101, "unauthorized");
    const isGranted = this.#grants.some(
      (grant) => grant.token === token && grant.topic === topic && grant.may === may,
    );
    if (!isGranted) throw new Refusal(40301, "forbidden");
  }
}

function checkActions(actions: readonly NtfyAction[]): void {
  const refuse = (why: string): never => {
    throw new Refusal(40018, `invalid request: actions invalid, ${why}`);
  };
  if (actions.length > ACTIONS_MAX) refuse(`only ${ACTIONS_MAX} actions allowed`);
  for (const { action, label, url, method = "POST", body = "" } of actions) {
    if (!["view", "broadcast", "http"].includes(action)) refuse(`action '${action}' unknown`);
    if (label === "") refuse("parameter 'label' is required");
    if (action !== "broadcast" && url === "") refuse(`parameter 'url' is required for action '${action}'`);
    if (action === "http" && ["GET", "HEAD"].includes(method) && body !== "")
      refuse(`parameter 'body' cannot be set if method is ${method}`);
  }
}

function parseBody(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === "object") return value;
  } catch {
    // Refused below.
  }
  throw new Refusal(40024, "invalid request: request body must be valid JSON");
}

async function readBody(request: IncomingMessage, bytesMax: number, code: number): Promise<string> {
  const body = await readText(request);
  if (Buffer.byteLength(body) > bytesMax)
    throw new Refusal(
      code,
      code === 41303 ? "JSON body too large" : "invalid request: attachments not allowed",
    );
  return body;
}
