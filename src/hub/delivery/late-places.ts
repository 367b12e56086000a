/** Detects places where a card is overdue. It is the only way to notice a service that accepts calls but never responds. */
import type { Cancel, Clock } from "../../model/clock.js";
import { PLACE_LATE_MS } from "./limits.js";

export interface LatePlacesOptions {
  readonly clock: Clock;
  /** Reports why a place is unreachable; null once it accepted a card or no card is due there any more. */
  readonly onLate: (channel: string, place: string, why: string | null) => void;
}

interface Card {
  readonly channel: string;
  readonly place: string;
  readonly deliveryId: string;
}

interface DueCards {
  readonly cards: Set<string>;
  readonly cancel: Cancel;
  isLate: boolean;
  /** Why the last attempt to post one failed; null if it did not respond. */
  why: string | null;
}

export class LatePlaces {
  readonly #options: LatePlacesOptions;
  readonly #due = new Map<string, DueCards>();

  constructor(options: LatePlacesOptions) {
    this.#options = options;
  }

  /** A card is due at this place and is not posted yet. Repeated calls are harmless. */
  noteDue(card: Card): void {
    const key = placeKey(card);
    const known = this.#due.get(key);
    if (known) {
      known.cards.add(card.deliveryId);
      return;
    }
    const cancel = this.#options.clock.after(PLACE_LATE_MS, () => this.#reportLate(card));
    this.#due.set(key, { cards: new Set([card.deliveryId]), cancel, isLate: false, why: null });
  }

  /** A card could not be posted and is tried again. */
  noteFailed(card: Card, why: string): void {
    const known = this.#due.get(placeKey(card));
    if (!known) return;
    known.why = why;
    if (known.isLate) this.#reportLate(card);
  }

  /** The place accepts cards: the time limit of other cards due there starts anew. */
  notePosted(card: Card): void {
    this.#forget(card);
  }

  /** The card will not be posted any more. */
  noteAbandoned(card: Card): void {
    const known = this.#due.get(placeKey(card));
    known?.cards.delete(card.deliveryId);
    if (known?.cards.size === 0) this.#forget(card);
  }

  stop(): void {
    for (const { cancel } of this.#due.values()) cancel();
    this.#due.clear();
  }

  #reportLate(card: Card): void {
    const known = this.#due.get(placeKey(card));
    if (!known) return;
    known.isLate = true;
    const late = `a card has not arrived there within ${PLACE_LATE_MS / 1000} s`;
    this.#options.onLate(card.channel, card.place, known.why === null ? late : `${late}: ${known.why}`);
  }

  #forget(card: Card): void {
    const known = this.#due.get(placeKey(card));
    if (!known) return;
    known.cancel();
    this.#due.delete(placeKey(card));
    if (known.isLate) this.#options.onLate(card.channel, card.place, null);
  }
}

function placeKey({ channel, place }: Pick<Card, "channel" | "place">): string {
  return JSON.stringify([channel, place]);
}
