/** A chat service and its channel in one: cards that people see, taps that come back, and failures on demand. */
import type { PromptNotice } from "../../../src/sdk/channel.js";
import { asId, type Identity } from "../../../src/model/ids.js";
import {
  DeliveryError,
  type Channel,
  type ChannelCapabilities,
  type Inbound,
  type InboundResponse,
  type Inbox,
  type Notice,
  type Outcome,
} from "../../../src/sdk/channel.js";
import { type DeliveryRef } from "../../../src/sdk/delivery-ref.js";
import type { ConfiguredChannel } from "../../../src/hub/people/routing.js";

export const CAPABILITIES: ChannelCapabilities = {
  tokenBytesMax: 64,
  buttonsMax: 20,
  edit: true,
  freeText: true,
  files: false,
  steps: true,
  pace: {
    place: () => [
      { burst: 3, everyMs: 1_000 },
      { burst: 20, everyMs: 3_000 },
    ],
    all: [],
    edits: [],
  },
};

export interface Message {
  readonly ref: DeliveryRef;
  readonly notice: Notice;
  outcome: Outcome | null;
}

export class FakeChannel implements Channel {
  readonly messages: Message[] = [];
  /** The step that a card shows since its last edit. */
  readonly shown = new Map<DeliveryRef, PromptNotice["step"]>();
  /** The last edit of each card, by its message's number. */
  /** Whether replies with buttons can be edited later. */
  postsReplies = true;
  readonly replyEdits: { readonly ref: DeliveryRef; readonly notice: Notice; readonly outcome: Outcome }[] =
    [];
  readonly edits = new Map<number, { readonly notice: PromptNotice; readonly outcome: Outcome }>();
  /** What was said about the hub itself. */
  readonly announced: string[] = [];
  readonly answers: { readonly raw: unknown; readonly answer: InboundResponse }[] = [];
  /** Consulted before each call; throw to fail it. Return "lost" to do it and fail all the same. */
  fault: (call: "deliver" | "settle", notice: Notice) => "lost" | undefined = () => undefined;
  /** Consulted before each announcement; throw to fail it. */
  announceFault: () => void = () => undefined;
  inbox: Inbox | null = null;
  stopped = false;
  /** What its cards leave out. */
  countOmitted: (notice: PromptNotice) => number = () => 0;
  probe: (limitMs: number) => Promise<void> = () => Promise.resolve();
  #updates = 0;

  start(inbox: Inbox): Promise<void> {
    this.inbox = inbox;
    return Promise.resolve();
  }

  async deliver(notice: Notice): Promise<DeliveryRef> {
    const fault = this.fault("deliver", notice);
    await Promise.resolve();
    const ref = { place: notice.place, message: this.messages.length + 1 };
    this.messages.push({ ref, notice, outcome: null });
    if (fault === "lost") throw new DeliveryError("the answer was lost", { certainty: "unknown" });
    return ref;
  }

  async settle(ref: DeliveryRef, notice: Notice, outcome: Outcome): Promise<void> {
    this.fault("settle", notice);
    await Promise.resolve();
    if (ref["reply"] !== undefined) this.replyEdits.push({ ref, notice, outcome });
    const message = this.messages.find((known) => known.ref.message === ref.message);
    if (message) message.outcome = outcome;
    if (notice.kind === "prompt") this.edits.set(Number(ref["message"]), { notice, outcome });
    if (message && notice.kind === "prompt") this.shown.set(message.ref, notice.step);
  }

  async announce(place: string, text: string): Promise<void> {
    await Promise.resolve();
    this.announceFault();
    this.announced.push(`${place}: ${text}`);
  }

  interpret(raw: unknown): Inbound | null {
    return raw as Inbound | null;
  }

  respond(raw: unknown, answer: InboundResponse): Promise<DeliveryRef | null> {
    this.answers.push({ raw, answer });
    const hasMessage = answer.buttons !== undefined && this.postsReplies;
    return Promise.resolve(hasMessage ? { place: "p1", reply: this.answers.length } : null);
  }

  stop(): Promise<void> {
    this.stopped = true;
    return Promise.resolve();
  }

  /** The prompt cards, in the order of posting. */
  cards(): (Message & { notice: PromptNotice })[] {
    return this.messages.filter(
      (message): message is Message & { notice: PromptNotice } => message.notice.kind === "prompt",
    );
  }

  texts(): string[] {
    return this.messages.flatMap(({ notice }) => (notice.kind === "text" ? [notice.text] : []));
  }

  /** Presses the button with that value on a card. */
  async tap(message: Message, value: string, identity = "chat:1", key?: string): Promise<void> {
    const shown = message.notice.buttons ?? [];
    const button = [...shown, ...(message.outcome?.buttons ?? [])].find((b) => b.value === value);
    await this.receive(
      {
        kind: "tap",
        token: button?.token ?? "no-such-token",
        ref: message.ref,
        identity: asId<Identity>(identity),
        place: String(message.ref.place),
        receivedAt: 0,
      },
      key,
    );
  }

  async text(
    text: string,
    options: { ref?: DeliveryRef; identity?: string; place?: string } = {},
  ): Promise<void> {
    const { identity = "chat:1", place = "p1" } = options;
    const from = { text, identity: asId<Identity>(identity), place, receivedAt: 0 };
    await this.receive(
      options.ref
        ? { kind: "text_reply", ref: options.ref, ...from }
        : { kind: "text", displayName: "Ara", ...from },
    );
  }

  async receive(inbound: Inbound, key = `update-${++this.#updates}`): Promise<void> {
    await this.inbox?.store(key, inbound);
    await turns();
  }

  get lastAnswer(): string | undefined {
    return this.answers.at(-1)?.answer.text;
  }
}

export function configureChannel(channel: Channel, over: Partial<ConfiguredChannel> = {}): ConfiguredChannel {
  return { id: "chat", capabilities: CAPABILITIES, places: ["p1"], channel, ...over };
}

/** Lets every promise that is ready go on. */
export async function turns(count = 3): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}
