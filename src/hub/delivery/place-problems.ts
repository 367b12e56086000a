/** Why places take no cards: the service refuses them, or never responds, which only an overdue card shows. In memory only. */
import type { Cancel, Clock } from "../../model/clock.js";
import { makePrintable } from "../../sdk/text.js";
import { PLACE_LATE_MS } from "./limits.js";

const REASON_MAX = 200;

interface Card {
  readonly channel: string;
  readonly place: string;
  readonly deliveryId: string;
}

interface DueCards {
  readonly ids: Set<string>;
  readonly cancel: Cancel;
  isLate: boolean;
  why: string;
}

export class PlaceProblems {
  readonly #clock: Clock;
  readonly #onChange: () => void;
  readonly #refusals = new Map<string, string>();
  readonly #due = new Map<string, DueCards>();

  constructor(clock: Clock, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Null: no reason is known why cards would not arrive there. */
  find(channel: string, place: string): string | null {
    const key = placeKey({ channel, place });
    const { isLate = false, why = "" } = this.#due.get(key) ?? {};
    const late = `a card has not arrived there within ${PLACE_LATE_MS / 1000} s`;
    return this.#refusals.get(key) ?? (isLate ? [late, why].filter((part) => part !== "").join(": ") : null);
  }

  /** A place refused a message, or (null) accepted one or sent one. A card that is due there is still due. */
  noteRefusal(channel: string, place: string, refusal: string | null): void {
    const key = placeKey({ channel, place });
    const reason = refusal === null ? undefined : makePrintable(refusal, REASON_MAX);
    if (reason === this.#refusals.get(key)) return;
    if (reason === undefined) this.#refusals.delete(key);
    else this.#refusals.set(key, reason);
    this.#onChange();
  }

  /** Call after a reload of the configuration, because someone may have fixed the cause. */
  forgetRefusals(): void {
    this.#refusals.clear();
    this.#onChange();
  }

  noteDue(card: Card): void {
    const known = this.#due.get(placeKey(card));
    if (known) return void known.ids.add(card.deliveryId);
    const cancel = this.#clock.after(PLACE_LATE_MS, () => {
      due.isLate = true;
      this.#onChange();
    });
    const due: DueCards = { ids: new Set([card.deliveryId]), cancel, isLate: false, why: "" };
    this.#due.set(placeKey(card), due);
  }

  noteFailed(card: Card, error: string): void {
    const due = this.#due.get(placeKey(card));
    const why = makePrintable(error, REASON_MAX);
    if (!due || due.why === why) return;
    due.why = why;
    if (due.isLate) this.#onChange();
  }

  /** The place accepted a card, so the time limit of the other cards begins again. */
  notePosted(card: Card): void {
    this.#forget(card);
    this.noteRefusal(card.channel, card.place, null);
  }

  noteAbandoned(card: Card): void {
    const ids = this.#due.get(placeKey(card))?.ids;
    ids?.delete(card.deliveryId);
    if (ids?.size === 0) this.#forget(card);
  }

  stop(): void {
    for (const { cancel } of this.#due.values()) cancel();
    this.#due.clear();
  }

  #forget(card: Card): void {
    const due = this.#due.get(placeKey(card));
    this.#due.delete(placeKey(card));
    due?.cancel();
    if (due?.isLate) this.#onChange();
  }
}

function placeKey({ channel, place }: Pick<Card, "channel" | "place">): string {
  return JSON.stringify([channel, place]);
}
