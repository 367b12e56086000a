/** Takes updates in: each is stored before the offset moves past it, and the offset outlives the process. */
import { StoreFailed } from "../../../src/sdk/store-failed.js";
import type { ChannelHost, Inbox } from "../../../src/sdk/channel.js";
import { storedUpdate, type StoredUpdate } from "./inbound.js";

export class TelegramIntake {
  readonly #botId: number;
  readonly #host: ChannelHost;
  readonly #inbox: Inbox;
  readonly #onStored: (row: StoredUpdate) => void;

  /** `onStored` hears of every update that was not there before. */
  constructor(botId: number, host: ChannelHost, inbox: Inbox, onStored: (row: StoredUpdate) => void) {
    this.#botId = botId;
    this.#host = host;
    this.#inbox = inbox;
    this.#onStored = onStored;
  }

  /** What to ask the service for next; 0 (all that it has) before the first update. */
  get offset(): number {
    const offset = Number(this.#host.getSetting(this.#key) ?? 0);
    return Number.isSafeInteger(offset) ? offset : 0;
  }

  /**
   * Stores a batch, then moves the offset past its highest update: a batch may come in any order. That may set the offset back:
   * update ids begin anew somewhere after an idle week. Returns whether it went forward. Errors: StoreFailed, offset unmoved.
   */
  async take(updates: readonly unknown[]): Promise<boolean> {
    const ids = updates.map(updateIdOf);
    const before = this.offset;
    try {
      for (const [index, id] of ids.entries()) {
        if (id === null) this.#host.log("warn", "telegram sent something that is no update; left out");
        else await this.#store(id, updates[index]);
      }
      const highest = Math.max(-1, ...ids.map((id) => id ?? -1));
      if (highest >= 0) this.#host.setSetting(this.#key, String(highest + 1));
    } catch (cause) {
      throw new StoreFailed("an update could not be stored", { cause });
    }
    return this.offset > before;
  }

  /** Keyed by bot: update ids of two bots have nothing to do with each other. */
  async #store(id: number, update: unknown): Promise<void> {
    const row = storedUpdate(update, this.#host.clock.now());
    if (await this.#inbox.store(`${this.#botId}:${id}`, row)) this.#onStored(row);
  }

  get #key(): string {
    return `offset:${this.#botId}`;
  }
}

function updateIdOf(update: unknown): number | null {
  if (update === null || typeof update !== "object" || !("update_id" in update)) return null;
  const id = update.update_id;
  return typeof id === "number" && Number.isSafeInteger(id) && id >= 0 ? id : null;
}
