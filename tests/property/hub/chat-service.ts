/** The chat service, as the hub's channel sees it over a bad line, and the human who reads it. */
import { asId, type Identity } from "../../../src/model/ids.js";
import {
  DeliveryError,
  type Channel,
  type Inbound,
  type InboundResponse,
  type Inbox,
  type Notice,
  type Outcome,
} from "../../../src/sdk/channel.js";
import { type DeliveryRef } from "../../../src/sdk/delivery-ref.js";
import { never, type HubLife, type World } from "./world.js";

interface Card {
  readonly ref: DeliveryRef;
  readonly notice: Extract<Notice, { kind: "prompt" }>;
  outcome: Outcome | null;
  tappedAfter: Outcome | null | undefined;
}

export class ChatService {
  readonly cards: Card[] = [];
  readonly toasts: string[] = [];
  /** Kept until they are acknowledged, like Telegram's. */
  #updates: { readonly key: string; readonly raw: Inbound }[] = [];
  #messages = 0;
  taps = 0;
  poll: () => Promise<void> = () => Promise.resolve();

  post(notice: Notice): DeliveryRef {
    const ref = { message: ++this.#messages };
    if (notice.kind === "prompt") this.cards.push({ ref, notice, outcome: null, tappedAfter: undefined });
    return ref;
  }

  edit(ref: DeliveryRef, outcome: Outcome): void {
    const card = this.cards.find((known) => known.ref.message === ref.message);
    if (card) card.outcome = outcome;
  }

  /** The human says yes on every card that still shows buttons, once for each thing it says. */
  humanLooks(): void {
    for (const card of this.cards) {
      if (card.outcome?.final || card.tappedAfter === card.outcome) continue;
      card.tappedAfter = card.outcome;
      const buttons = card.outcome?.buttons ?? card.notice.buttons;
      const identity = asId<Identity>("chat:1");
      const token = buttons[0]?.token ?? "";
      const raw: Inbound = { kind: "tap", token, ref: card.ref, identity, place: "p1", receivedAt: 0 };
      this.#updates.push({ key: `tap-${++this.taps}`, raw });
    }
  }

  allSettled(): boolean {
    return this.#updates.length === 0 && this.cards.every(({ outcome }) => outcome?.final);
  }

  /** Hands every waiting update over; it is forgotten only when the hub has stored it. */
  async handOver(inbox: Inbox, world: World, life: HubLife): Promise<void> {
    for (const update of [...this.#updates]) {
      if (life.isDead() || world.step("an update comes in")) return;
      try {
        await inbox.store(update.key, update.raw);
      } catch {
        return;
      }
      if (life.isDead() || world.step("an update is acknowledged")) return;
      this.#updates = this.#updates.filter((known) => known !== update);
    }
  }
}

/** The hub's side of it. A dead hub's calls never come back; a cut one's may have had their effect. */
export class ChatChannel implements Channel {
  readonly #world: World;
  readonly #life: HubLife;

  constructor(world: World, life: HubLife) {
    this.#world = world;
    this.#life = life;
  }

  start(inbox: Inbox): Promise<void> {
    this.#world.chat.poll = () => this.#world.chat.handOver(inbox, this.#world, this.#life);
    return Promise.resolve();
  }

  deliver(notice: Notice): Promise<DeliveryRef> {
    return this.#call("a card", () => this.#world.chat.post(notice));
  }

  settle(ref: DeliveryRef, _notice: Notice, outcome: Outcome): Promise<void> {
    return this.#call("an edit", () => this.#world.chat.edit(ref, outcome));
  }

  interpret(raw: unknown): Inbound | null {
    return raw as Inbound;
  }

  async respond(_raw: unknown, { text }: InboundResponse): Promise<null> {
    await this.#call("a toast", () => void this.#world.chat.toasts.push(text));
    return null;
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  async #call<T>(what: string, act: () => T): Promise<T> {
    if (this.#life.isDead()) return never();
    const request = this.#world.step(`${what} is sent`);
    if (this.#life.isDead()) return never();
    if (request === "cut") throw new DeliveryError("not sent", { certainty: "not_sent" });
    const result = act();
    await Promise.resolve();
    const response = this.#world.step(`${what} is confirmed`);
    if (this.#life.isDead()) return never();
    if (response === "cut") throw new DeliveryError("answer lost", { certainty: "unknown" });
    return result;
  }
}
