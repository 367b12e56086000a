/**
 * A strict stand-in for api.telegram.org on the loopback: what the real service refuses, it refuses in the same words; what the
 * real network does to us, it does on demand. Facts: the Bot API's documentation and the service's published source.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { isBrokenReply, replyBytes, sendBroken, type BrokenReply } from "../http/broken-reply.js";
import { Waiters, type Probe } from "../waiters.js";
import { readParameters, type Parameters } from "./body.js";
import { Chats, type Chat, type Message } from "./chats.js";
import { Faults, type Fault } from "./faults.js";
import type { Person } from "./json.js";
import { METHODS, type World } from "./methods.js";
import { User } from "./people.js";
import { Queries } from "./queries.js";
import { PATIENCE, RateLimit, type Patience } from "./rate.js";
import { Refusal, tooManyRequests } from "./refusal.js";
import { UpdateQueue } from "./updates.js";

export type { Message } from "./chats.js";
export type { Fault } from "./faults.js";
export type { Tap, User } from "./people.js";

export interface EmulatorOptions {
  readonly token?: string;
  readonly username?: string;
  readonly firstUpdateId?: number;
  /** How long a tap may stay unanswered. The real service gives about 15 s. */
  readonly queryTtlMs?: number;
  /** Null: no limit. */
  readonly rate?: Partial<Patience> | null;
  /** A path before `/bot…`, as behind a reverse proxy. */
  readonly basePath?: string;
}

/** One call as it came in. */
export interface RequestRecord {
  readonly method: string;
  readonly payload: Parameters;
  readonly at: number;
  /** HTTP status, or null while it is open and after a cut. */
  status: number | null;
  /** What went wrong with it on demand. */
  fault: Fault | null;
}

const PATH = /^(.*)\/bot([^/]+)\/(\w+)$/;

export async function startTelegram(options: EmulatorOptions = {}): Promise<TelegramEmulator> {
  const emulator = new TelegramEmulator(options);
  await emulator.restore();
  return emulator;
}

export class TelegramEmulator {
  readonly token: string;
  readonly world: World;
  readonly people = new Map<number, Person>();
  readonly requests: RequestRecord[] = [];
  /** Sees every reply before it leaves, and may break it. */
  breaks: (request: RequestRecord, reply: Buffer) => BrokenReply | null = () => null;
  readonly #basePath: string;
  readonly #faults = new Faults();
  readonly #sockets = new Set<Socket>();
  readonly #waiters = new Waiters();
  #server: Server | null = null;
  #port = 0;

  constructor(options: EmulatorOptions) {
    this.token = options.token ?? "7000001:AAH-emulated-token_0123456789abcdef";
    this.#basePath = options.basePath ?? "";
    this.world = {
      bot: {
        id: Number(this.token.split(":")[0]),
        is_bot: true,
        first_name: "Atlas",
        username: options.username ?? "atlas_test_bot",
      },
      chats: new Chats(),
      updates: new UpdateQueue(options.firstUpdateId ?? 500_000_001),
      queries: new Queries(options.queryTtlMs ?? 15_000),
      rate: new RateLimit(options.rate === null ? null : { ...PATIENCE, ...options.rate }),
      commands: null,
    };
  }

  /** What belongs into `channels.telegram.api_root`. */
  get apiRoot(): string {
    return `http://127.0.0.1:${this.#port}${this.#basePath}`;
  }

  /** A person who has opened a private chat with the bot. */
  user(id: number, name = `User ${id}`): User {
    this.people.set(id, { id, is_bot: false, first_name: name, username: `user_${id}` });
    this.world.chats.open(id, "private", name);
    return new User(this, id);
  }

  /** A group that the bot is in; negative ids. */
  group(id: number, title: string, options: { readonly forum?: boolean } = {}): Chat {
    return this.world.chats.open(id, "supergroup", title, options.forum ?? false);
  }

  messages(chatId: number): readonly Message[] {
    return this.world.chats.of(chatId);
  }

  /** The bot's messages in a chat. */
  posts(chatId: number): readonly Message[] {
    return this.messages(chatId).filter((message) => message.from === this.world.bot.id);
  }

  /** Taps whose spinner still turns. */
  get unanswered(): readonly string[] {
    return this.world.queries.unanswered;
  }

  listRequests(method: string): readonly RequestRecord[] {
    return this.requests.filter((request) => request.method === method);
  }

  /** Resolves with the probe's first truthy value; looks again whenever anything happened. `what` may tell how it stands at the end. */
  waitFor<T>(probe: Probe<T>, what: string | (() => string), timeoutMs?: number): Promise<T> {
    return this.#waiters.waitFor(probe, what, timeoutMs);
  }

  /** Also for tests: something outside of the emulator happened that a probe looks at. */
  changed(): void {
    this.#waiters.changed();
  }

  /** The next `times` calls of `method` ("*": any) go wrong. */
  failNext(method: string, fault: Fault, times = 1): void {
    this.#faults.add(method, fault, times);
  }

  /** Planned faults that have not happened yet. */
  get faultsLeft(): number {
    return this.#faults.left;
  }

  clearFaults(): void {
    this.#faults.clear();
  }

  /** Hands an update out once more: under its own id, or under a new one as if the person's client had sent it twice. */
  repeatUpdate(updateId: number, as: "same" | "new" = "same"): void {
    this.world.updates.repeat(updateId, as);
  }

  /** The next batch of two or more updates comes in the wrong order. */
  reverseNextBatch(): void {
    this.world.updates.reverseNext = true;
  }

  /** Cuts every connection and refuses new ones until `restore`. */
  async outage(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async restore(): Promise<void> {
    if (this.#server) return;
    const server = createServer((request, response) => void this.#serve(request, response));
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    this.world.updates.forget();
    await this.outage();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.apiRoot);
    const [, base, token, method = ""] = PATH.exec(url.pathname) ?? [];
    const record: RequestRecord = { method, payload: {}, at: performance.now(), status: null, fault: null };
    try {
      if (base !== this.#basePath) throw new Refusal(404, "Not Found");
      Object.assign(record, { payload: await readParameters(request, url) });
      this.requests.push(record);
      this.changed();
      if (token !== this.token) throw new Refusal(401, "Unauthorized");
      const fault = this.#faults.take(method);
      record.fault = fault;
      if (this.#failsBefore(fault, request, response, record)) return;
      const running = this.#run(method, record.payload, response);
      // A poll may wait now.
      this.changed();
      const result = await running;
      if (fault === "drop-after-effect") request.socket.destroy();
      else if (fault !== "hang-after-effect") this.#reply(response, record, 200, { ok: true, result });
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(500, "Internal Server Error");
      this.#reply(response, record, refusal.status, refusal.toJSON());
    }
    this.changed();
  }

  #run(method: string, payload: Parameters, response: ServerResponse): unknown {
    const run = METHODS[method.toLowerCase()];
    if (!run) throw new Refusal(404, "Not Found: method not found");
    if (run !== METHODS["getupdates"]) return run(this.world, payload);
    const running = run(this.world, payload);
    // By then another poll may be waiting, on a connection of its own.
    response.once("close", () => this.world.updates.forget(running));
    return running;
  }

  /** True when the fault takes the call's place. */
  #failsBefore(
    fault: Fault | null,
    request: IncomingMessage,
    response: ServerResponse,
    record: RequestRecord,
  ): boolean {
    if (fault === "hang") return true;
    if (fault === "drop") {
      request.socket.destroy();
      return true;
    }
    if (fault === "garbage") {
      record.status = 200;
      response.writeHead(200, { "content-type": "text/html" }).end("<html>Please log in to the Wi-Fi</html>");
      return true;
    }
    if (fault === "hollow") {
      this.#reply(response, record, 200, { ok: true, result: null });
      return true;
    }
    if (fault === null || typeof fault === "string" || isBrokenReply(fault)) return false;
    if (fault.status === 429) throw tooManyRequests(fault.retryAfter ?? 1);
    throw new Refusal(fault.status, fault.description ?? "Bad Request: refused on demand");
  }

  #reply(response: ServerResponse, record: RequestRecord, status: number, body: unknown): void {
    record.status = status;
    if (response.destroyed) return;
    const text = JSON.stringify(body);
    const type = "application/json";
    const whole = replyBytes(status, type, text);
    const broken = isBrokenReply(record.fault) ? record.fault : this.breaks(record, whole);
    if (broken && response.socket) sendBroken(response.socket, whole, broken);
    else response.writeHead(status, { "content-type": type }).end(text);
  }
}
