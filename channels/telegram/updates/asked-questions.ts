/** Remembers on disk which messages ask for a reply: a reply to one of them counts as a reply to its card. */
import * as v from "valibot";
import type { ChannelHost } from "../../../src/sdk/channel.js";
import type { PersonQuestion } from "./person-question.js";
import { ExpiringMap } from "./expiring-map.js";
import { REMEMBERED_ASKS_MAX } from "../limits.js";

const entry = v.object({ deliveryId: v.string(), before: v.string() });

export class AskedQuestions {
  readonly #book: ExpiringMap<PersonQuestion>;

  constructor(host: Pick<ChannelHost, "getSetting" | "setSetting">) {
    this.#book = new ExpiringMap(host, { name: "asked", entry, max: REMEMBERED_ASKS_MAX });
  }

  of(chatId: number, messageId: number): PersonQuestion | null {
    return this.#book.get(chatId, String(messageId));
  }

  remember(chatId: number, messageId: number, { deliveryId, before }: PersonQuestion): void {
    this.#book.set(chatId, String(messageId), { deliveryId, before });
  }
}
