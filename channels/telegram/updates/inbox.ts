/** Receives updates: each is stored before the offset moves past it, and the offset is stored too. */
import { StoreFailed } from "../../../src/sdk/store-failed.js";
import type { ChannelHost, Inbox } from "../../../src/sdk/channel.js";
import { toStoredUpdate, type StoredUpdate } from "./interpret.js";

export class TelegramInbox {
  readonly #botId: number;
  readonly #host: ChannelHost;
  readonly #inbox: Inbox;
  readonly #onStored: (row: StoredUpdate) => void;

  /** `onStored` is called for every new update. */
  constructor(botId: number, host: ChannelHost, inbox: Inbox, onStored: (row: StoredUpdate) => void) {
    this.#botId = botId;
    this.#host = host;
    this.#inbox = inbox;
    this.#onStored = onStored;
  }

  /** The next update id to request; 0 (everything the service has) before the first update. */
  get offset(): number {
    const offset = Number(this.#host.getSetting(this.#key) ?? 0);
    return Number.isSafeInteger(offset) ? offset : 0;
  }

  /**
   * Stores a batch, then moves the offset past its highest update, because a batch may be in any order. The offset may go back:
   * update ids restart at a random number after an idle week. Returns whether it went forward. Errors: StoreFailed, with the
   * offset unmoved.
   */
  async store(updates: readonly unknown[]): Promise<boolean> {
    const ids = updates.map(getUpdateId);
    const before = this.offset;
    try {
      for (const [index, id] of ids.entries()) {
        if (id === null) this.#host.log("warn", "telegram sent an invalid update; ignored");
        else await this.#storeOne(id, updates[index]);
      }
      const highest = Math.max(-1, ...ids.map((id) => id ?? -1));
      if (highest >= 0) this.#host.setSetting(this.#key, String(highest + 1));
    } catch (cause) {
      throw new StoreFailed("an update could not be stored", { cause });
    }
    return this.offset > before;
  }

  /** Keyed by bot: update ids of two bots are unrelated. */
  async #storeOne(id: number, update: unknown): Promise<void> {
    const row = toStoredUpdate(update, this.#host.clock.now());
    if (await this.#inbox.store(`${this.#botId}:${id}`, row)) this.#onStored(row);
  }

  get #key(): string {
    return `offset:${this.#botId}`;
  }
}

function getUpdateId(update: unknown): number | null {
  if (update === null || typeof update !== "object" || !("update_id" in update)) return null;
  const id = update.update_id;
  return typeof id === "number" && Number.isSafeInteger(id) && id >= 0 ? id : null;
}
