/**
 * A strict stand-in for Slack on the loopback: Web API, uploads, response addresses and Socket Mode. What the real service refuses,
 * it refuses in the same words; what the real network does to us, it does on demand. The app is what its manifest says: no scope,
 * event or command that is not in it.
 */
import { readFileSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { join } from "node:path";
import { isBrokenReply } from "../http/broken-reply.js";
import { EmulatedService, type CommonFault, type RequestRecord } from "../http/emulated-service.js";
import { Conversations, type Message } from "./conversations.js";
import { Gateway, GATEWAY_TIMING, type GatewayTiming } from "./gateway.js";
import { Desk } from "./desk.js";
import { readBytes, readParameters, readRoute, createToken } from "./http.js";
import type { Parameters } from "./methods.js";
import { User } from "./people.js";
import { RATES, RateLimit, type Rate } from "./rate.js";
import { Refusal, tooMany } from "./refusal.js";
import { Responses } from "./responses.js";
import { Triggers } from "./triggers.js";
import type { AppManifest, World } from "./world.js";

export type { Message } from "./conversations.js";
export type { Deed, User } from "./people.js";

export interface EmulatorOptions {
  /** Null: no limits. Default: the documented ones. */
  readonly rates?: Readonly<Record<string, Rate>> | null;
  readonly timing?: Partial<GatewayTiming>;
  /** The real service gives a trigger three seconds. */
  readonly triggerTtlMs?: number;
  readonly responseLifeMs?: number;
  readonly manifest?: AppManifest;
}

export type Fault =
  | CommonFault
  /** The service refuses, as it words it. */
  | { readonly error: string; readonly more?: Readonly<Record<string, unknown>> }
  /** A status of its own. `retryAfter` in seconds with 429. */
  | { readonly status: number; readonly retryAfter?: number };

interface Call extends RequestRecord<Fault> {
  readonly given: Parameters;
}

const TEAM = "T0TEAM";
const BOT = "U0BOT";
const APP = "A0ATLAS";
const MANIFEST = join(import.meta.dirname, "../../../channels/slack/manifest.json");

export function appManifest(): AppManifest {
  return JSON.parse(readFileSync(MANIFEST, "utf8")) as AppManifest;
}

export async function startSlack(options: EmulatorOptions = {}): Promise<SlackEmulator> {
  const emulator = new SlackEmulator(options);
  await emulator.restore();
  return emulator;
}

/** Faults may also be planned for the addresses "upload" and "response". */
export class SlackEmulator extends EmulatedService<Fault, Call> {
  readonly botToken = "xoxb-1111111111-emulated-bot-token";
  readonly appToken = `xapp-1-${APP}-2222222222-emulated-app-token`;
  readonly world: World;
  readonly #desk: Desk;

  constructor(options: EmulatorOptions) {
    super();
    const manifest = options.manifest ?? appManifest();
    const conversations = new Conversations();
    const timing = { ...GATEWAY_TIMING, ...options.timing };
    this.world = {
      team: { id: TEAM, domain: "atlas", name: "Atlas Team" },
      appId: APP,
      bot: { userId: BOT, botId: "B0BOT" },
      manifest,
      scopes: new Set(manifest.oauth_config.scopes.bot),
      conversations,
      gateway: new Gateway(APP, timing, () => this.changed()),
      rate: new RateLimit(options.rates === undefined ? RATES : options.rates),
      triggers: new Triggers(options.triggerTtlMs ?? 3_000),
      responses: new Responses(conversations, options.responseLifeMs),
      modals: [],
      homes: new Map(),
      uploads: new Map(),
      files: new Map(),
      origin: () => this.origin,
      changed: () => this.changed(),
      editWindowClosed: false,
    };
    this.#desk = new Desk(this.world, { bot: this.botToken, app: this.appToken });
  }

  /** What belongs into `channels.slack.api_url`. */
  get apiUrl(): string {
    return `${this.world.origin()}/api/`;
  }

  /** A member of the workspace who has opened the app. */
  user(id: string, name: string): User {
    const im = `D${id.slice(1)}`;
    this.world.conversations.open(im, "im", [id, BOT]);
    return new User(this, { id, name, team: TEAM }, im);
  }

  /** Somebody of another organisation, in a channel that both share. */
  outsider(id: string, name: string, channel: string): User {
    const shared = this.world.conversations.get(channel);
    if (!shared) throw new Error(`no channel ${channel}`);
    shared.shared = true;
    shared.members.add(id);
    return new User(this, { id, name, team: "T9OTHER" }, null);
  }

  /** A channel that the app was invited to, unless told otherwise. */
  channel(id: string, members: readonly User[], options: { readonly invited?: boolean } = {}): string {
    const people = members.map((user) => user.id);
    this.world.conversations.open(id, "channel", options.invited === false ? people : [...people, BOT]);
    return id;
  }

  messages(channel: string): readonly Message[] {
    return this.world.conversations.of(channel);
  }

  /** The app's own messages there, without files. */
  posts(channel: string): readonly Message[] {
    return this.messages(channel).filter(({ user, file }) => user === BOT && file === null);
  }

  files(channel: string): readonly Message[] {
    return this.messages(channel).filter(({ file }) => file !== null);
  }

  /** The app-level token was made without its scope. */
  forgetAppScope(): void {
    this.#desk.appScopes = [];
  }

  override async outage(): Promise<void> {
    this.world.gateway.cut();
    await super.outage();
  }

  protected override prepare(server: Server): void {
    server.on("upgrade", (request, socket, head) => {
      const ticket = new URL(request.url ?? "/", this.world.origin()).searchParams.get("ticket") ?? "";
      this.world.gateway.accept(ticket, request, socket, head);
    });
  }

  async stop(): Promise<void> {
    this.world.gateway.stop();
    await this.outage();
  }

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", this.world.origin());
    const body = await readBytes(request);
    const route = readRoute(pathname);
    const record: Call = {
      method: route,
      given: readParameters(request, body),
      at: performance.now(),
      status: null,
      fault: null,
    };
    this.requests.push(record);
    this.changed();
    const reply = (status: number, content: unknown, headers?: Readonly<Record<string, string>>): void =>
      this.reply(response, record, status, content, headers);
    try {
      const fault = this.takeFault(route);
      record.fault = fault;
      if (this.#failsBefore(fault, request, reply)) {
        this.changed();
        return;
      }
      const call = { route, pathname, token: createToken(request), given: record.given, body };
      const { content, headers } = this.#desk.answer(call);
      if (fault === "drop-after-effect") request.socket.destroy();
      else if (fault === "hollow") reply(200, { ok: true });
      else if (fault !== "hang-after-effect") reply(200, content, headers);
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal("fatal_error", { status: 500 });
      reply(refusal.status, refusal.body, refusal.headers);
    }
    this.changed();
  }

  /** True when the fault takes the call's place. */
  #failsBefore(
    fault: Fault | null,
    request: IncomingMessage,
    reply: (status: number, content: unknown) => void,
  ): boolean {
    if (fault === "hang") return true;
    if (fault === "drop") request.socket.destroy();
    else if (fault === "garbage") reply(200, "<html>Please log in to the Wi-Fi</html>");
    else if (fault !== null && typeof fault === "object" && !isBrokenReply(fault)) {
      if ("error" in fault) throw new Refusal(fault.error, { body: fault.more ?? {} });
      if (fault.status === 429) throw tooMany(fault.retryAfter ?? 1);
      throw new Refusal("internal_error", { status: fault.status });
    } else return false;
    return true;
  }
}
