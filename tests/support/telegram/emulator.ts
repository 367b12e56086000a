/**
 * A strict stand-in for api.telegram.org on the loopback: what the real service refuses, it refuses in the same words; what the
 * real network does to us, it does on demand. Facts: the Bot API's documentation and the service's published source.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isBrokenReply } from "../http/broken-reply.js";
import { EmulatedService, type CommonFault, type RequestRecord } from "../http/emulated-service.js";
import { readParameters, type Parameters } from "./body.js";
import { Chats, type Chat, type Message } from "./chats.js";
import type { Person } from "./json.js";
import { METHODS, type World } from "./methods.js";
import { User } from "./people.js";
import { Queries } from "./queries.js";
import { PATIENCE, RateLimit, type Patience } from "./rate.js";
import { Refusal, tooManyRequests } from "./refusal.js";
import { UpdateQueue } from "./updates.js";

export type { Message } from "./chats.js";
export type { Tap, User } from "./people.js";

export interface EmulatorOptions {
  readonly token?: string;
  readonly username?: string;
  readonly firstUpdateId?: number;
  /** How long a tap may stay unanswered. The real service gives about 15 s. */
  readonly queryTtlMs?: number;
  /** Null: no limit. */
  readonly rate?: Partial<Patience> | null;
  /** The clock of the rate limits, in ms. */
  readonly now?: () => number;
  /** A path before `/bot…`, as behind a reverse proxy. */
  readonly basePath?: string;
}

export type Fault =
  | CommonFault
  /** The service refuses. `retryAfter` in seconds with 429. */
  | { readonly status: number; readonly description?: string; readonly retryAfter?: number };

interface Call extends RequestRecord<Fault> {
  readonly payload: Parameters;
}

const PATH = /^(.*)\/bot([^/]+)\/(\w+)$/;

export async function startTelegram(options: EmulatorOptions = {}): Promise<TelegramEmulator> {
  const emulator = new TelegramEmulator(options);
  await emulator.restore();
  return emulator;
}

export class TelegramEmulator extends EmulatedService<Fault, Call> {
  readonly token: string;
  readonly world: World;
  readonly people = new Map<number, Person>();
  readonly #basePath: string;

  constructor(options: EmulatorOptions) {
    super();
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
      rate: new RateLimit(
        options.rate === null ? null : { ...PATIENCE, ...options.rate },
        options.now ?? (() => performance.now()),
      ),
      commands: null,
    };
  }

  /** What belongs into `channels.telegram.api_root`. */
  get apiRoot(): string {
    return `${this.origin}${this.#basePath}`;
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

  /** Hands an update out once more: under its own id, or under a new one as if the person's client had sent it twice. */
  repeatUpdate(updateId: number, as: "same" | "new" = "same"): void {
    this.world.updates.repeat(updateId, as);
  }

  /** The next batch of two or more updates comes in the wrong order. */
  reverseNextBatch(): void {
    this.world.updates.reverseNext = true;
  }

  async stop(): Promise<void> {
    this.world.updates.forget();
    await this.outage();
  }

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.apiRoot);
    const [, base, token, method = ""] = PATH.exec(url.pathname) ?? [];
    const record: Call = { method, payload: {}, at: performance.now(), status: null, fault: null };
    try {
      if (base !== this.#basePath) throw new Refusal(404, "Not Found");
      Object.assign(record, { payload: await readParameters(request, url) });
      this.requests.push(record);
      this.changed();
      if (token !== this.token) throw new Refusal(401, "Unauthorized");
      const fault = this.takeFault(method);
      record.fault = fault;
      if (this.#failsBefore(fault, request, response, record)) return;
      const running = this.#run(method, record.payload, response);
      // A poll may wait now.
      this.changed();
      const result = await running;
      if (fault === "drop-after-effect") request.socket.destroy();
      else if (fault !== "hang-after-effect") this.reply(response, record, 200, { ok: true, result });
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(500, "Internal Server Error");
      this.reply(response, record, refusal.status, refusal.toJSON());
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
    record: Call,
  ): boolean {
    if (fault === "hang") return true;
    if (fault === "drop") {
      request.socket.destroy();
      return true;
    }
    if (fault === "garbage") {
      this.reply(response, record, 200, "<html>Please log in to the Wi-Fi</html>");
      return true;
    }
    if (fault === "hollow") {
      this.reply(response, record, 200, { ok: true, result: null });
      return true;
    }
    if (fault === null || typeof fault === "string" || isBrokenReply(fault)) return false;
    if (fault.status === 429) throw tooManyRequests(fault.retryAfter ?? 1);
    throw new Refusal(fault.status, fault.description ?? "Bad Request: refused on demand");
  }
}
