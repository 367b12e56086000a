/** The running channel: cards out over one topic, taps in over another. */
import * as v from "valibot";
import {
  asId,
  type Channel,
  type ChannelHost,
  type Identity,
  type Inbound,
  type InboundAnswer,
  type Inbox,
  type Notice,
} from "../../../../src/sdk/channel.js";
import type { DeliveryRef } from "../../../../src/sdk/delivery-ref.js";
import { deliveryErrorOf, NtfyApi, reasonOf } from "./api.js";
import { fitBytes, renderNotice, type NtfyCard } from "./card.js";
import type { NtfySettings } from "./config.js";
import { listen, TIMING, type NtfyTiming } from "./listener.js";

/** What stands in the inbox: a message of the reply topic, and when it came. */
const storedUpdate = v.object({ receivedAt: v.number(), update: v.object({ message: v.string() }) });
/** What a button publishes there. */
const tapBody = v.object({ token: v.string(), delivery: v.string(), place: v.string() });

const ANSWER_BYTES_MAX = 1_000;

export class NtfyChannel implements Channel {
  readonly #settings: NtfySettings;
  readonly #host: ChannelHost;
  readonly #timing: NtfyTiming;
  readonly #api: NtfyApi;
  readonly #stop = new AbortController();
  #listening: Promise<void> | null = null;

  /** `timing` is shortened by tests only. */
  constructor(settings: NtfySettings, host: ChannelHost, timing: NtfyTiming = TIMING) {
    this.#settings = settings;
    this.#host = host;
    this.#timing = timing;
    this.#api = new NtfyApi(settings, host.clock, this.#stop.signal);
  }

  start(inbox: Inbox): Promise<void> {
    const parts = {
      api: this.#api,
      settings: this.#settings,
      host: this.#host,
      timing: this.#timing,
      stop: this.#stop.signal,
    };
    this.#listening ??= listen({ ...parts, inbox });
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#listening;
    this.#host.report({ state: "stopped" });
  }

  async deliver(notice: Notice): Promise<DeliveryRef> {
    const { title, message, priority, buttons } = renderNotice(notice, this.#host.clock.now());
    const actions = buttons.map((button) => this.#actionOf(notice, button));
    await this.#publish(notice.place, { title, message, priority, actions });
    return refOf(notice.place, notice.deliveryId);
  }

  /** Never called: without `edit` the hub delivers the outcome as a text of its own. */
  settle(): Promise<void> {
    return Promise.resolve();
  }

  async probe(limitMs: number): Promise<void> {
    const limit = new AbortController();
    const cancel = this.#host.clock.after(limitMs, () => limit.abort());
    try {
      await (await this.#api.get("v1/health", limit.signal)).body?.cancel();
    } catch (error) {
      throw deliveryErrorOf(error);
    } finally {
      cancel();
    }
  }

  interpret(raw: unknown): Inbound | null {
    const row = v.safeParse(storedUpdate, raw);
    const tap = row.success ? v.safeParse(tapBody, parse(row.output.update.message)) : null;
    if (!row.success || !tap?.success) return null;
    const { token, delivery, place } = tap.output;
    // The service names no sender. Who knows the token has read the topic, and that is one person by her own word.
    const [person] = this.#settings.deliver_to;
    if (person === undefined) return null;
    const identity = asId<Identity>(`ntfy:${person}`);
    return {
      kind: "tap",
      token,
      ref: refOf(place, delivery),
      identity,
      place,
      receivedAt: row.output.receivedAt,
    };
  }

  /** There is no spinner to stop: the answer is a message without a sound, or with one where it deserves it. */
  async answer(raw: unknown, { text, alert }: InboundAnswer): Promise<void> {
    const tap = this.interpret(raw);
    if (tap === null || text === "") return;
    await this.#publish(tap.place, {
      message: fitBytes(text, ANSWER_BYTES_MAX),
      priority: alert ? 3 : 2,
    }).catch((error: unknown) =>
      this.#host.log("warn", "ntfy answer was not delivered", { reason: reasonOf(error) }),
    );
  }

  async #publish(place: string, message: Readonly<Record<string, unknown>>): Promise<void> {
    this.#host.wrote(place);
    await this.#api.publish({ topic: this.#settings.topic, ...message });
  }

  #actionOf(
    { deliveryId, place }: Notice,
    { label, token }: NtfyCard["buttons"][number],
  ): Record<string, unknown> {
    const { server, reply_topic, reply_token } = this.#settings;
    return {
      action: "http",
      label,
      url: `${server}/${reply_topic}`,
      method: "POST",
      headers: reply_token === undefined ? {} : { Authorization: `Bearer ${reply_token}` },
      body: JSON.stringify({ token, delivery: deliveryId, place }),
      // The notification goes away with its buttons once the tap is published.
      clear: true,
    };
  }
}

/** Ours, not the service's: what a button says has to be known before the card has an id. */
function refOf(place: string, delivery: string): DeliveryRef {
  return { place, delivery };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
