/**
 * The supervised getUpdates loop: no failure of the service, the network or the disk ends it, only `stop` does. Each failure
 * becomes a state with advice, and a delay.
 */
import type { ChannelHealth, ChannelHost, Inbox } from "../../../src/sdk/channel.js";
import { reportChanges } from "../../../src/sdk/service/report-changes.js";
import { wait } from "../../../src/sdk/waiting.js";
import type { BotApi } from "../bot-api/api.js";
import {
  TelegramCallError,
  isRivalConflict,
  isWebhookConflict,
  type TelegramFailure,
} from "../bot-api/failure.js";
import type { StoredUpdate } from "./interpret.js";
import { TelegramInbox } from "./inbox.js";
import { StoreFailed } from "../../../src/sdk/store-failed.js";
import type { TelegramTiming } from "../limits.js";
import { planRetry, SHARED } from "../bot-api/retry.js";

/** The service remembers the last list, so a bot whose previous owner excluded taps would otherwise receive none. */
const WANTED_UPDATES = ["message", "edited_message", "callback_query"] as const;

/** The service's maximum first. After a failure fewer, so that a response that is too long or too slow arrives in parts. */
const BATCH_SIZES: readonly number[] = [100, 10, 1];
const SMALLEST_BATCH = 1;

export interface PollerParts {
  readonly api: BotApi;
  readonly botId: number;
  readonly host: ChannelHost;
  readonly timing: TelegramTiming;
  /** 0..1 */
  readonly random: () => number;
  /** Called before the service counts as connected for the first time. Never rejects. */
  readonly beforeConnected: () => Promise<void>;
  /** Connected, for the first time or again. */
  readonly onConnected: () => void;
  /** A new update is stored. */
  readonly onStored: (row: StoredUpdate) => void;
}

export class Poller {
  readonly #parts: PollerParts;
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;
  readonly #report: (health: ChannelHealth) => boolean;
  /** Whether the next poll may wait long; otherwise its immediate response shows whether we are connected. */
  #healthy = false;
  /** Whether the service has ever responded. */
  #met = false;
  #attempt = 0;
  /** Conflicts with another poller that does not count as gone yet. */
  #conflicts = 0;
  /** Since when polls stand without a failure; null: the last one failed. */
  #quietSince: number | null = null;
  #webhookRemoved = false;

  constructor(parts: PollerParts) {
    this.#parts = parts;
    this.#report = reportChanges(parts.host);
  }

  start(inbox: Inbox): void {
    if (this.#running) return;
    const { botId, host, onStored } = this.#parts;
    this.#report({ state: "starting" });
    this.#running = this.#run(new TelegramInbox(botId, host, inbox, onStored));
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    this.#report({ state: "stopped" });
  }

  async #run(inbox: TelegramInbox): Promise<void> {
    while (!this.#stopping()) {
      try {
        await this.#pollOnce(inbox);
      } catch (error) {
        // An exception from the host's report must not end the loop either.
        if (!this.#stopping())
          await this.#recover(error).catch(() => this.#pause(this.#parts.timing.retryMaxMs));
      }
    }
  }

  async #pollOnce(inbox: TelegramInbox): Promise<void> {
    const { api, host, timing } = this.#parts;
    const began = host.clock.monotonic();
    this.#quietSince ??= began;
    const timeout = this.#healthy ? timing.pollSeconds : 0;
    const updates: unknown = await api.call(
      "getUpdates",
      {
        offset: inbox.offset,
        limit: BATCH_SIZES[this.#attempt] ?? SMALLEST_BATCH,
        timeout,
        allowed_updates: [...WANTED_UPDATES],
      },
      { limitMs: timeout * 1000 + timing.pollGraceMs, stop: this.#stop.signal },
    );
    const advanced = await inbox.store(Array.isArray(updates) ? updates : []);
    await this.#noteSuccess();
    const hurried = host.clock.monotonic() - began < timing.emptyPollMs;
    // Updates of strangers that are not stored are progress too: a tap may wait behind a thousand of them.
    if (timeout > 0 && !advanced && hurried) await this.#pause(timing.emptyPollMs);
  }

  async #noteSuccess(): Promise<void> {
    if (!this.#met) await this.#parts.beforeConnected();
    this.#met = true;
    this.#healthy = true;
    this.#attempt = 0;
    // Whoever wins the poll for a while, or receives an update, still shares the bot.
    if (this.#isShared()) this.#report(SHARED);
    else if (this.#report({ state: "connected" })) this.#parts.onConnected();
  }

  /** Whether another program polls this bot, as far as the service's conflicts tell. Two polite pollers take turns for ever. */
  #isShared(): boolean {
    const { host, timing } = this.#parts;
    const now = host.clock.monotonic();
    if (now - (this.#quietSince ?? now) >= timing.conflictQuietMs) this.#conflicts = 0;
    return this.#conflicts > 0;
  }

  async #recover(error: unknown): Promise<void> {
    const { host, timing, random } = this.#parts;
    const failure = toFailure(error);
    this.#quietSince = null;
    // After a conflict only a poll that stands shows that the other poller is gone.
    this.#healthy = isRivalConflict(failure);
    if (isWebhookConflict(failure) && (await this.#removeWebhook())) return;
    const attempt = this.#healthy ? ++this.#conflicts : ++this.#attempt;
    const { waitMs, health } = planRetry(failure, attempt, random(), timing);
    this.#report(error instanceof StoreFailed ? STORE_FAILED : health);
    // Of pollers that take turns, one line says enough.
    const level = this.#healthy && attempt > 1 ? "debug" : "warn";
    host.log(level, "telegram polling waits before retrying", { reason: failure.reason, waitMs, attempt });
    await this.#pause(waitMs);
  }

  /** An old webhook of the bot is removed once; one that comes back belongs to another program. */
  async #removeWebhook(): Promise<boolean> {
    if (this.#webhookRemoved) return false;
    const { api, host, timing } = this.#parts;
    this.#webhookRemoved = true;
    host.log("warn", "telegram bot has a webhook: removing it, pending updates are kept");
    const options = { limitMs: timing.callMs, stop: this.#stop.signal };
    return api.call("deleteWebhook", { drop_pending_updates: false }, options).then(
      () => true,
      () => false,
    );
  }

  #pause(ms: number): Promise<void> {
    return wait(this.#parts.host.clock, ms, this.#stop.signal);
  }

  #stopping(): boolean {
    return this.#stop.signal.aborted;
  }
}

const STORE_FAILED: ChannelHealth = {
  state: "degraded",
  reason: "an update could not be stored",
  action: "Check the disk and the hub's log; Telegram keeps the update for a day.",
};

function toFailure(error: unknown): TelegramFailure {
  if (error instanceof TelegramCallError) return error.failure;
  const name = error instanceof Error ? error.name : typeof error;
  return { kind: "lost", status: null, reason: `unexpected ${name}`, retryAfterMs: null };
}
