/** Places that accept no messages: a chat that does not exist, blocked the bot, or lacks the app. In memory only. */
import { makePrintable } from "../../sdk/text.js";

/** Longest stored reason, which is the service's text. */
const REASON_MAX = 200;

export class RefusedPlaces {
  readonly #reasons = new Map<string, string>();

  /** `refusal` null: the place accepts messages. Returns false if that was already known. */
  note(channel: string, place: string, refusal: string | null): boolean {
    const key = placeKey(channel, place);
    const before = this.#reasons.get(key);
    const now = refusal === null ? undefined : makePrintable(refusal, REASON_MAX);
    if (before === now) return false;
    if (now === undefined) this.#reasons.delete(key);
    else this.#reasons.set(key, now);
    return true;
  }

  /** Why messages do not arrive there; null if none is known. */
  findReason(channel: string, place: string): string | null {
    return this.#reasons.get(placeKey(channel, place)) ?? null;
  }

  /** Forgets all refusals after a reload, because someone may have fixed the cause. */
  forget(): void {
    this.#reasons.clear();
  }
}

function placeKey(channel: string, place: string): string {
  return JSON.stringify([channel, place]);
}
