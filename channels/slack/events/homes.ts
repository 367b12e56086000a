/** Updates the home tabs that people have opened, because an outdated list of prompts would mislead. */
import type { Cancel, ChannelHost, Identity } from "../../../src/sdk/channel.js";
import type { SlackApi } from "../web-api/api.js";
import { SlackCallError } from "../web-api/failure.js";
import { renderHome } from "./home.js";
import { REMEMBERED_HOMES_MAX, type SlackTiming } from "../limits.js";

export interface HomesParts {
  readonly api: SlackApi;
  readonly host: ChannelHost;
  readonly timing: SlackTiming;
}

export class Homes {
  readonly #parts: HomesParts;
  /** User id → identity, most recent last. */
  readonly #viewers = new Map<string, Identity>();
  #pending: Cancel | null = null;

  constructor(parts: HomesParts) {
    this.#parts = parts;
  }

  /** Somebody opens the tab. Never throws. */
  async show(user: string, identity: Identity): Promise<void> {
    this.#viewers.delete(user);
    this.#viewers.set(user, identity);
    const [oldest] = this.#viewers.keys();
    if (this.#viewers.size > REMEMBERED_HOMES_MAX && oldest !== undefined) this.#viewers.delete(oldest);
    await this.#publish(user, identity);
  }

  /** Something changed; several quick changes cause one update. */
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
    const view = renderHome(host.overview(identity), host.clock.now());
    try {
      await api.callNow("views.publish", { user_id: user, view });
    } catch (error) {
      const reason = error instanceof SlackCallError ? error.failure.reason : "unexpected";
      host.log("warn", "slack home tab was not updated", { reason });
    }
  }
}
