/** A real hub core with the real Slack channel on the emulator, and a worker's end to raise questions from. */
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { createSlack } from "../../../../channels/slack/create.js";
import { TIMING as SLACK_TIMING } from "../../../../channels/slack/limits.js";
import slackPlugin from "../../../../channels/slack/index.js";
import { createTelegram } from "../../../../channels/telegram/create.js";
import telegramPlugin from "../../../../channels/telegram/index.js";
import type { ConfiguredChannel } from "../../../../src/hub/people/routing.js";
import { openHub, type Hub } from "../../../../src/hub/core/hub.js";
import { computeHubMark, markIds } from "../../../../src/hub/delivery/hub-mark.js";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { systemClock, type Clock } from "../../../../src/observe/clock.js";
import { systemRandom } from "../../../../src/observe/random.js";
import { redact } from "../../../../src/safety/redact.js";
import { sanitizeText } from "../../../../src/safety/safe-text.js";
import type { ChannelHealth, ChannelHost } from "../../../../src/sdk/channel.js";
import { QUICK as SLACK_QUICK } from "../../../contract/channel/slack-bench.js";
import { QUICK as TELEGRAM_QUICK } from "../../../contract/channel/telegram-bench.js";
import { startSlack, type Message, type SlackEmulator, type User } from "../../../support/slack/emulator.js";
import { readable } from "../../../support/slack/conversations.js";
import {
  startTelegram,
  type Message as PhoneMessage,
  type TelegramEmulator,
  type User as Phone,
} from "../../../support/telegram/emulator.js";
import { readDatabase } from "../../../property/hub/read-database.js";
import {
  makeEvent,
  FakeLink,
  RECEIPT,
  SESSION,
  SETTINGS,
  sessionParams,
  tempDirectory,
} from "../../hub/rig.js";
import { HANG_MS } from "../../../support/hang-guards.js";

const PHONE = 1001;

/** The system's clock, but hours can be skipped. Timers run as they do: what is judged later is judged by `now`. */
class SkippingClock implements Clock {
  #skippedMs = 0;

  skip(ms: number): void {
    this.#skippedMs += ms;
  }

  now(): number {
    return systemClock.now() + this.#skippedMs;
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#skippedMs;
  }

  sinceBoot(): number {
    return systemClock.sinceBoot() + this.#skippedMs;
  }

  after(ms: number, callback: () => void): () => void {
    return systemClock.after(ms, callback);
  }
}

export interface BenchOptions {
  /** What is special about the session that asks. */
  readonly session?: Readonly<Record<string, unknown>>;
  /** Where questions go in Telegram; a group has a negative id. Default: Ara's own chat. */
  readonly chat?: number;
  /** Another hub, whose bot and app this one uses as well. */
  readonly beside?: HubBench;
}

export class HubBench {
  readonly slack: SlackEmulator;
  readonly telegram: TelegramEmulator;
  readonly ara: User;
  readonly phone: Phone;
  readonly place: string;
  readonly link = new FakeLink();
  readonly health = new Map<string, ChannelHealth>();
  /** Every state that a channel reported, in order. */
  readonly reports: { readonly channel: string; readonly health: ChannelHealth }[] = [];
  core!: Hub;
  readonly clock = new SkippingClock();
  readonly chat: number;
  readonly #path = join(tempDirectory(), "atlasbridge.db");
  readonly #random = markIds(systemRandom, computeHubMark(randomBytes(32)));
  readonly #ownsServices: boolean;
  #count = 0;

  /** Where the hub keeps its ledger. */
  get folder(): string {
    return dirname(this.#path);
  }

  readonly #session: Readonly<Record<string, unknown>>;

  private constructor(
    slack: SlackEmulator,
    telegram: TelegramEmulator,
    { session = {}, chat = PHONE, beside }: BenchOptions,
  ) {
    this.#session = { label: "api", ...session };
    this.#ownsServices = beside === undefined;
    this.chat = chat;
    this.slack = slack;
    this.telegram = telegram;
    this.ara = slack.user("U0ARA", "Ara");
    this.place = slack.channel("C0WORK", [this.ara]);
    this.phone = telegram.user(PHONE, "Ara");
    if (chat < 0) telegram.group(chat, "Work");
  }

  static async open(options: BenchOptions = {}): Promise<HubBench> {
    const slack = options.beside?.slack ?? (await startSlack({ rates: null }));
    const telegram = options.beside?.telegram ?? (await startTelegram({ rate: null }));
    const bench = new HubBench(slack, telegram, options);
    await bench.startHub();
    return bench;
  }

  /** Starts a hub on the same database: the first one, or the next. */
  async startHub(): Promise<void> {
    const people = [
      { name: "Ara", identities: ["slack:T0TEAM/U0ARA", `telegram:${PHONE}`], role: "approver" },
      { name: "Vi", identities: ["slack:T0TEAM/U0VI", "telegram:1002"], role: "viewer" },
    ] as const;
    this.core = await openHub({
      databasePath: this.#path,
      clock: this.clock,
      random: this.#random,
      safeText: sanitizeText,
      redact,
      settings: { ...SETTINGS, people },
      processAlive: () => true,
      log: () => undefined,
      version: "0.1.0",
    });
    await this.core.useChannels([this.#slackChannel(), this.#telegramChannel()]);
    await this.core.start();
    await this.core.handlers["session.open"](sessionParams(this.#session), { sessionId: null });
    this.core.connected(SESSION, this.link);
    const reports = ["connected", "degraded"];
    await this.until(() => reports.includes(this.health.get("slack")?.state ?? ""), "Slack");
  }

  async close(): Promise<void> {
    await this.core.stop();
    if (this.#ownsServices) await Promise.all([this.slack.stop(), this.telegram.stop()]);
  }

  /** Raises a question and resolves with its card in Slack. */
  async ask(over: Partial<PromptEvent> = {}): Promise<{ event: PromptEvent; card: Message }> {
    const event = makeEvent((this.#count += 1), over);
    const before = this.cards.length;
    await this.core.handlers["prompt.raise"](event as never, { sessionId: SESSION });
    await this.until(() => this.cards.length > before, "the card");
    return { event, card: this.cards.at(-1)! };
  }

  /** The worker does what was asked of it. */
  async carryOut({ promptId, fingerprint }: PromptEvent): Promise<void> {
    await this.until(() => this.link.replies.some((reply) => reply.promptId === promptId), "the reply");
    const { replyId } = this.link.replies.find((reply) => reply.promptId === promptId)!;
    const caller = { sessionId: SESSION };
    const begin = { promptId, replyId, route: "keys", fingerprint, endsTool: false } as const;
    await this.core.handlers["injection.begin"](begin, caller);
    await this.core.handlers["injection.end"]({ promptId, replyId, receipt: { ...RECEIPT } }, caller);
  }

  /** Questions in the channel, in the order of their posting. */
  get cards(): readonly Message[] {
    return this.slack.posts(this.place).filter(({ broadcast }) => broadcast);
  }

  /** Questions in Telegram, in the order of their posting. */
  get phoneCards(): readonly PhoneMessage[] {
    return this.telegram.posts(this.chat).filter(({ buttons }) => buttons.length > 0);
  }

  /** Steps of the audit with what is known about each, in order. */
  audited(step: string): { readonly identity: string | null; readonly code: unknown }[] {
    const rows = readDatabase<{ identity: string | null; details: string }>(
      this.#path,
      "SELECT identity, details FROM audit WHERE step = ? ORDER BY position",
      [step],
    );
    return rows.map(({ identity, details }) => ({
      identity,
      code: (JSON.parse(details) as { code?: unknown }).code,
    }));
  }

  /** Presses a button as soon as the card shows it: its edits are bounded by the service. */
  async pressShown(card: Message, label: string): Promise<void> {
    const find = (): Message | undefined =>
      this.slack.messages(card.channel).find(({ ts }) => ts === card.ts);
    await this.until(() => JSON.stringify(find()?.blocks ?? []).includes(JSON.stringify(label)), label);
    this.ara.press(find()!, label);
  }

  /** What a card shows now. */
  shown(card: Message): string {
    return readable(this.slack.messages(card.channel).find(({ ts }) => ts === card.ts)?.blocks ?? []);
  }

  settled(card: Message, outcome: RegExp): Promise<void> {
    return this.until(
      () => outcome.test(this.shown(card)),
      `${String(outcome)} on the card; it shows\n${this.shown(card)}`,
    );
  }

  /** Looks again and again: what is waited for may happen in either service, or in the hub. */
  async until(probe: () => boolean, what: string): Promise<void> {
    for (const deadline = performance.now() + HANG_MS; !probe();) {
      if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  #makeHost(id: string): ChannelHost {
    return {
      clock: this.clock,
      random: () => systemRandom.fraction(),
      ...this.core.createChannelHost(id),
      report: (health) => {
        this.health.set(id, health);
        this.reports.push({ channel: id, health });
        this.core.reach.noteHealth(id, health);
        this.slack.changed();
      },
      log: () => undefined,
      broadcast: () => undefined,
    };
  }

  #slackChannel(): ConfiguredChannel {
    const { botToken, appToken, apiUrl } = this.slack;
    const config = { app_token: appToken, bot_token: botToken, api_url: apiUrl, deliver_to: [this.place] };
    const channel = createSlack(config, this.#makeHost("slack"), {
      ...SLACK_QUICK,
      // No test waits for another hub to go, and each check takes a connection away for a moment.
      sharedMs: SLACK_TIMING.sharedMs,
    });
    return { id: "slack", capabilities: slackPlugin.manifest.capabilities, places: [this.place], channel };
  }

  #telegramChannel(): ConfiguredChannel {
    const { token, apiRoot } = this.telegram;
    const config = { token, api_root: apiRoot, deliver_to: [this.chat] };
    const channel = createTelegram(config, this.#makeHost("telegram"), TELEGRAM_QUICK);
    return {
      id: "telegram",
      capabilities: telegramPlugin.manifest.capabilities,
      places: [String(this.chat)],
      channel,
    };
  }
}
