/** Keeps the home tabs that people have looked at up to date: an outdated list of open questions would be a lie. */
import type { Cancel, ChannelHost, Identity } from "../../../src/sdk/channel.js";
import type { SlackApi } from "../web-api/api.js";
import { SlackCallError } from "../web-api/failure.js";
import { homeOf } from "./home.js";
import { REMEMBERED_HOMES_MAX, type SlackTiming } from "../limits.js";

export interface HomesParts {
  readonly api: SlackApi;
  readonly host: ChannelHost;
  readonly timing: SlackTiming;
}

export class Homes {
  readonly #parts: HomesParts;
  /** User id → identity, the last to look last. */
  readonly #viewers = new Map<string, Identity>();
  #pending: Cancel | null = null;

  constructor(parts: HomesParts) {
    this.#parts = parts;
  }

  /** Somebody looks. Never throws. */
  async show(user: string, identity: Identity): Promise<void> {
    this.#viewers.delete(user);
    this.#viewers.set(user, identity);
    const [oldest] = this.#viewers.keys();
    if (this.#viewers.size > REMEMBERED_HOMES_MAX && oldest !== undefined) this.#viewers.delete(oldest);
    await this.#publish(user, identity);
  }

  /** Something changed; changes in quick succession are shown together. */
  refresh(): void {
    if (this.#pending !== null || this.#viewers.size === 0) return;
    this.#pending = this.#parts.host.clock.after(this.#parts.timing.homeMs, () => {
      this.#pending = null;
      for (const [user, identity] of this.#viewers) void this.#publish(user, identity);
    });
  }

  stop(): void {
    this.#pending?.();
    this.#pending = null;
    this.#viewers.clear();
  }

  async #publish(user: string, identity: Identity): Promise<void> {
    const { api, host } = this.#parts;
    const view = homeOf(host.overview(identity), host.clock.now());
    try {
      await api.callNow("views.publish", { user_id: user, view });
    } catch (error) {
      const reason = error instanceof SlackCallError ? error.failure.reason : "unexpected";
      host.log("warn", "slack home tab was not updated", { reason });
    }
  }
}
