/** Places that take nothing: a chat that does not exist, that blocked the bot, or that the app is not in. Kept in memory. */
import { printable } from "../../sdk/text.js";

/** A sentence of the service's. */
const REASON_MAX = 200;

export class RefusedPlaces {
  readonly #reasons = new Map<string, string>();

  /** Null: the place takes messages. False where that was known. */
  note(channel: string, place: string, refusal: string | null): boolean {
    const key = keyOf(channel, place);
    const before = this.#reasons.get(key);
    const now = refusal === null ? undefined : printable(refusal, REASON_MAX);
    if (before === now) return false;
    if (now === undefined) this.#reasons.delete(key);
    else this.#reasons.set(key, now);
    return true;
  }

  /** Why nothing arrives there; null as far as anybody knows. */
  reasonAt(channel: string, place: string): string | null {
    return this.#reasons.get(keyOf(channel, place)) ?? null;
  }

  /** Somebody may have changed something: each place counts again until it refuses. */
  forget(): void {
    this.#reasons.clear();
  }
}

function keyOf(channel: string, place: string): string {
  return JSON.stringify([channel, place]);
}
