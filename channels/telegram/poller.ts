/**
 * The supervised getUpdates loop: every update is stored before the offset moves past it, and no answer of the service, of the
 * network or of the disk ends the loop. Only `stop` does.
 */
import type { ChannelHealth, ChannelHost, Inbox } from "../../src/sdk/channel.js";
import type { BotApi } from "./api.js";
import { CallError, isWebhookConflict, type Failure } from "./failure.js";
import { stored } from "./inbound.js";
import type { Timing } from "./limits.js";
import { planRetry } from "./retry.js";
import { wait } from "./wait.js";

/** The service remembers the last list and would otherwise keep taps back from a bot whose earlier owner wanted none. */
const WANTED_UPDATES = ["message", "callback_query"] as const;

export interface PollerParts {
  readonly api: BotApi;
  readonly botId: number;
  readonly host: ChannelHost;
  readonly timing: Timing;
  /** 0..1 */
  readonly random: () => number;
}

/** Marks a failure of our own store, which is none of the service's. */
class StoreFailed extends Error {}

export class Poller {
  readonly #parts: PollerParts;
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;
  #told = "";
  /** Whether the last poll succeeded: only then is it worth to wait long in one. */
  #healthy = false;
  #attempt = 0;
  #conflicts = 0;
  #lastConflict = -Infinity;
  #webhookRemoved = false;

  constructor(parts: PollerParts) {
    this.#parts = parts;
  }

  start(inbox: Inbox): void {
    this.#tell({ state: "starting" });
    this.#running ??= this.#run(inbox);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    this.#tell({ state: "stopped" });
  }

  async #run(inbox: Inbox): Promise<void> {
    while (!this.#stopping()) {
      try {
        await this.#pollOnce(inbox);
      } catch (error) {
        if (!this.#stopping()) await this.#recover(error);
      }
    }
  }

  async #pollOnce(inbox: Inbox): Promise<void> {
    const { api, host, timing } = this.#parts;
    const began = host.clock.monotonic();
    // After a start or a failure an empty reply at once says that we are connected; then we wait in the poll.
    const timeout = this.#healthy ? timing.pollSeconds : 0;
    const updates: unknown = await api.call(
      "getUpdates",
      { offset: this.#offset(), limit: 100, timeout, allowed_updates: [...WANTED_UPDATES] },
      { limitMs: timeout * 1000 + timing.pollGraceMs, stop: this.#stop.signal },
    );
    const fresh = await this.#storeAll(inbox, Array.isArray(updates) ? updates : []);
    this.#succeeded();
    const hurried = host.clock.monotonic() - began < timing.emptyPollMs;
    if (timeout > 0 && fresh === 0 && hurried) await wait(host.clock, timing.emptyPollMs, this.#stop.signal);
  }

  /**
   * Stores a batch, then moves the offset past its highest update: a batch may come in any order. That may set the offset back:
   * update ids begin anew somewhere after an idle week. Returns how many updates were not stored before.
   */
  async #storeAll(inbox: Inbox, updates: readonly unknown[]): Promise<number> {
    const { botId, host } = this.#parts;
    let highest = -1;
    let fresh = 0;
    for (const update of updates) {
      const id = updateIdOf(update);
      if (id === null) {
        host.log("warn", "telegram sent something that is no update; left out");
        continue;
      }
      const isNew = await inbox
        .store(`${botId}:${id}`, stored(update, host.clock.now()))
        .catch(rethrowAsStoreFailed);
      highest = Math.max(highest, id);
      fresh += isNew ? 1 : 0;
    }
    if (highest >= 0) this.#advance(highest + 1);
    return fresh;
  }

  #advance(offset: number): void {
    try {
      this.#parts.host.setSetting(this.#offsetKey(), String(offset));
    } catch (cause) {
      rethrowAsStoreFailed(cause);
    }
  }

  #succeeded(): void {
    this.#healthy = true;
    this.#attempt = 0;
    this.#tell({ state: "connected" });
  }

  async #recover(error: unknown): Promise<void> {
    const { host, timing, random } = this.#parts;
    const failure = failureIn(error);
    this.#healthy = false;
    if (isWebhookConflict(failure) && (await this.#removeWebhook())) return;
    const attempt = failure.kind === "conflict" ? this.#countConflict() : ++this.#attempt;
    const plan = planRetry(failure, attempt, random(), timing);
    const health = error instanceof StoreFailed ? STORE_FAILED : plan.health;
    this.#tell(health);
    host.log("warn", "telegram polling waits", { reason: failure.reason, waitMs: plan.waitMs, attempt });
    await wait(host.clock, plan.waitMs, this.#stop.signal);
  }

  /** Two polite pollers would take turns for ever: waits grow until there was peace for a while. */
  #countConflict(): number {
    const { host, timing } = this.#parts;
    const now = host.clock.monotonic();
    if (now - this.#lastConflict > timing.conflictForgottenMs) this.#conflicts = 0;
    this.#lastConflict = now;
    return ++this.#conflicts;
  }

  /** A webhook left from an earlier life of the bot is removed once; one that comes back belongs to somebody. */
  async #removeWebhook(): Promise<boolean> {
    if (this.#webhookRemoved) return false;
    const { api, host, timing } = this.#parts;
    this.#webhookRemoved = true;
    host.log("warn", "telegram bot had a webhook; removed, pending updates kept");
    return api
      .call(
        "deleteWebhook",
        { drop_pending_updates: false },
        { limitMs: timing.callMs, stop: this.#stop.signal },
      )
      .then(
        () => true,
        () => false,
      );
  }

  #offsetKey(): string {
    return `offset:${this.#parts.botId}`;
  }

  #offset(): number {
    const offset = Number(this.#parts.host.getSetting(this.#offsetKey()) ?? 0);
    return Number.isSafeInteger(offset) ? offset : 0;
  }

  #stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  #tell(health: ChannelHealth): void {
    const told = JSON.stringify(health);
    if (told === this.#told) return;
    this.#told = told;
    this.#parts.host.report(health);
  }
}

const STORE_FAILED: ChannelHealth = {
  state: "degraded",
  reason: "an update could not be stored",
  action: "Check the disk and the hub's log; Telegram keeps the update for a day.",
};

function rethrowAsStoreFailed(cause: unknown): never {
  throw new StoreFailed("an update could not be stored", { cause });
}

function failureIn(error: unknown): Failure {
  if (error instanceof CallError) return error.failure;
  const name = error instanceof Error ? error.name : typeof error;
  return { kind: "lost", status: null, reason: `unexpected ${name}`, retryAfterMs: null };
}

function updateIdOf(update: unknown): number | null {
  if (update === null || typeof update !== "object" || !("update_id" in update)) return null;
  const id = update.update_id;
  return typeof id === "number" && Number.isSafeInteger(id) && id >= 0 ? id : null;
}
