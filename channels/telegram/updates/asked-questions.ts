/** Remembers on disk which messages ask for a reply: a reply to one of them counts as a reply to its card. */
import * as v from "valibot";
import type { ChannelHost } from "../../../src/sdk/channel.js";
import type { TextRequest } from "./person-question.js";
import { ExpiringMap } from "./expiring-map.js";
import { REMEMBERED_ASKS_MAX } from "../limits.js";

const entry = v.object({ deliveryId: v.string(), before: v.string() });

export class SentTextRequests {
  readonly #book: ExpiringMap<TextRequest>;

  constructor(host: Pick<ChannelHost, "getSetting" | "setSetting">) {
    this.#book = new ExpiringMap(host, { name: "asked", entry, max: REMEMBERED_ASKS_MAX });
  }

  find(chatId: number, messageId: number): TextRequest | null {
    return this.#book.get(chatId, String(messageId));
  }

  listMessages(chatId: number, deliveryId: string): number[] {
    return this.#book.listKeys(chatId, (asked) => asked.deliveryId === deliveryId).map(Number);
  }

  remember(chatId: number, messageId: number, { deliveryId, before }: TextRequest): void {
    this.#book.set(chatId, String(messageId), { deliveryId, before });
  }
}
