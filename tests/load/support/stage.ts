/** A real hub core with the real channels on both emulators, a chat a session in each, and clients that note lost responses. */
import Database from "better-sqlite3";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createSlack } from "../../../channels/slack/create.js";
import slackPlugin from "../../../channels/slack/index.js";
import { createTelegram } from "../../../channels/telegram/create.js";
import telegramPlugin from "../../../channels/telegram/index.js";
import type { ConfiguredChannel } from "../../../src/hub/people/routing.js";
import { openHub, type Hub } from "../../../src/hub/core/hub.js";
import { asId, type SessionId } from "../../../src/model/ids.js";
import { systemClock } from "../../../src/observe/clock.js";
import { systemRandom } from "../../../src/observe/random.js";
import { redact } from "../../../src/safety/redact.js";
import { sanitizeText } from "../../../src/safety/safe-text.js";
import { DeliveryError, type Channel, type ChannelHost, type Pace } from "../../../src/sdk/channel.js";
import { QUICK as SLACK_QUICK } from "../../contract/channel/slack-bench.js";
import { QUICK as TELEGRAM_QUICK } from "../../contract/channel/telegram-bench.js";
import { startSlack, type SlackEmulator } from "../../support/slack/emulator.js";
import { startTelegram, type TelegramEmulator } from "../../support/telegram/emulator.js";
import { fastestTmp, SETTINGS, sessionParams } from "../../unit/hub/rig.js";
import { IMPATIENT_SLACK, IMPATIENT_TELEGRAM, QUICK_SLACK, QUICK_TELEGRAM } from "./speed.js";
import { StormWorker } from "./worker.js";

export const ARA = { telegram: 1001, slack: "U0ARA" };
/** A call that hangs is given up after this; no other takes so long, however busy the machine is. */
const CALL_MS = 10_000;

export class Stage {
  readonly telegram: TelegramEmulator;
  readonly slack: SlackEmulator;
  readonly groups: readonly number[];
  readonly rooms: readonly string[];
  readonly workers: StormWorker[] = [];
  /** `channel prompt` of every post of which nobody knows whether it was made. */
  readonly lostPosts: string[] = [];
  readonly writes: { readonly channel: string; readonly place: string; readonly at: number }[] = [];
  readonly slackEdits: number[] = [];
  core!: Hub;
  readonly #folder = mkdtempSync(join(fastestTmp(), "atb-storm-"));
  readonly #database = join(this.#folder, "atlasbridge.db");

  private constructor(telegram: TelegramEmulator, slack: SlackEmulator, sessions: number) {
    this.telegram = telegram;
    this.slack = slack;
    const numbers = Array.from({ length: sessions }, (_, n) => n);
    const ara = slack.user(ARA.slack, "Ara");
    telegram.user(ARA.telegram, "Ara");
    this.groups = numbers.map((n) => telegram.group(-1_000 - n, `Room ${n}`).id);
    this.rooms = numbers.map((n) => slack.channel(`C0ROOM${n}`, [ara]));
  }

  static async open(sessions: number): Promise<Stage> {
    const telegram = await startTelegram({ rate: IMPATIENT_TELEGRAM });
    const stage = new Stage(telegram, await startSlack({ rates: IMPATIENT_SLACK }), sessions);
    await stage.#startHub();
    return stage;
  }

  /** `channel promptId` of every card that was given up because its question was over before it could go: on record, each. */
  cardsTooLate(): Set<string> {
    const sqlite = new Database(this.#database, { readonly: true });
    const rows = sqlite
      .prepare<[], { key: string }>(
        "SELECT details ->> 'channel' || ' ' || prompt_id AS key FROM audit WHERE step = 'card_abandoned' AND details ->> 'reason' = 'closed'",
      )
      .all();
    sqlite.close();
    return new Set(rows.map(({ key }) => key));
  }

  /** What the hub still means to send: a card that failed waits here to be tried again, or to be given up. */
  unsentRows(): number {
    const sqlite = new Database(this.#database, { readonly: true });
    const row = sqlite.prepare<[], { n: number }>("SELECT count(*) AS n FROM outbox").get();
    sqlite.close();
    return row?.n ?? 0;
  }

  async close(): Promise<void> {
    await this.core.stop();
    await Promise.all([this.slack.stop(), this.telegram.stop()]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #startHub(): Promise<void> {
    const identities = [`slack:T0TEAM/${ARA.slack}`, `telegram:${ARA.telegram}`];
    const routes = this.groups.map((group, n) => ({
      labels: [`s${n}`],
      deliver_to: [`telegram:${group}`, `slack:${this.rooms[n]}`],
    }));
    this.core = await openHub({
      databasePath: this.#database,
      clock: systemClock,
      random: systemRandom,
      safeText: sanitizeText,
      redact,
      settings: {
        ...SETTINGS,
        people: [{ name: "Ara", identities, role: "approver" }],
        routes,
        prompts: { ...SETTINGS.prompts, expires_after: 0 },
      },
      processAlive: () => true,
      log: () => undefined,
      version: "0.1.0",
    });
    await this.core.useChannels([this.#telegramChannel(), this.#slackChannel()]);
    await this.core.start();
    for (const n of this.groups.keys()) await this.#openSession(n);
  }

  async #openSession(n: number): Promise<void> {
    const sessionId = makeSessionId(n);
    const worker = new StormWorker(this.core, sessionId);
    this.workers.push(worker);
    const params = sessionParams({ sessionId, label: `s${n}` });
    await this.core.handlers["session.open"](params, { sessionId: null });
    this.core.connected(sessionId, worker);
  }

  #telegramChannel(): ConfiguredChannel {
    const { token, apiRoot: api_root } = this.telegram;
    const config = { token, api_root, deliver_to: [...this.groups] };
    const timing = { ...TELEGRAM_QUICK, callMs: CALL_MS, uploadMs: CALL_MS };
    const channel = createTelegram(config, this.#makeHost("telegram"), timing);
    return this.#configureChannel(telegramPlugin.manifest, QUICK_TELEGRAM, this.groups.map(String), channel);
  }

  #slackChannel(): ConfiguredChannel {
    const { botToken: bot_token, appToken: app_token, apiUrl: api_url } = this.slack;
    const config = { app_token, bot_token, api_url, deliver_to: [...this.rooms] };
    const channel = createSlack(config, this.#makeHost("slack"), {
      ...SLACK_QUICK,
      callMs: CALL_MS,
      uploadMs: CALL_MS,
    });
    return this.#configureChannel(slackPlugin.manifest, QUICK_SLACK, this.rooms, channel);
  }

  #configureChannel(
    { id, capabilities }: typeof telegramPlugin.manifest,
    pace: Pace,
    places: readonly string[],
    channel: Channel,
  ): ConfiguredChannel {
    const deliver = channel.deliver.bind(channel);
    channel.deliver = async (notice) => {
      try {
        return await deliver(notice);
      } catch (error) {
        if (notice.kind === "prompt" && error instanceof DeliveryError && error.certainty === "unknown")
          this.lostPosts.push(`${id} ${notice.content.text.split("\n")[0] ?? ""}`);
        throw error;
      }
    };
    const settle = channel.settle.bind(channel);
    channel.settle = (...given) => {
      if (id === "slack") this.slackEdits.push(performance.now());
      return settle(...given);
    };
    return { id, capabilities: { ...capabilities, pace }, places, channel };
  }

  #makeHost(id: string): ChannelHost {
    const ledgerHost = this.core.createChannelHost(id);
    return {
      clock: systemClock,
      random: () => systemRandom.fraction(),
      ...ledgerHost,
      wrote: (place) => {
        this.writes.push({ channel: id, place, at: performance.now() });
        ledgerHost.wrote(place);
      },
      report: () => undefined,
      log: () => undefined,
      broadcast: () => undefined,
    };
  }
}

export function makeSessionId(n: number): SessionId {
  return asId(`22222222-2222-4222-8222-${String(n).padStart(12, "0")}`);
}
