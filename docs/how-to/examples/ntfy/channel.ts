/** The running channel: cards out over one topic, taps in over another. */
import { createHash } from "node:crypto";
import * as v from "valibot";
import {
  asId,
  type Channel,
  type ChannelHost,
  computeDelay,
  type DeliveryRef,
  describeConnectionFailure,
  type Identity,
  type Inbound,
  type InboundResponse,
  type Inbox,
  type Notice,
  type NoticeButton,
  parseJson,
  reportChanges,
  StoreFailed,
  wait,
} from "atlasbridge/sdk";
import { NtfyApi } from "./api.js";
import { fitMessage, renderLabel, renderNotice } from "./card.js";
import type { NtfyConfig } from "./config.js";

/** `retryMs` is the first wait after a failure, and doubles. The service says every 45 s that it is there. */
export const TIMING = { retryMs: 1_000, retryMaxMs: 30_000, silenceMs: 100_000 } as const;
export type NtfyTiming = Readonly<Record<keyof typeof TIMING, number>>;

/** Lines of the reply topic. */
const opened = v.object({ event: v.literal("open") });
const published = v.object({ event: v.literal("message"), id: v.string() });
/** What stands in the inbox: a message of the reply topic, and when it came. */
const storedUpdate = v.object({ receivedAt: v.number(), update: v.object({ message: v.string() }) });
/** What a button publishes there. */
const tapBody = v.object({ token: v.string(), delivery: v.string(), place: v.string() });

export class NtfyChannel implements Channel {
  readonly #settings: NtfyConfig;
  readonly #host: ChannelHost;
  readonly #timing: NtfyTiming;
  readonly #api: NtfyApi;
  readonly #stop = new AbortController();
  #listening: Promise<void> | null = null;

  /** `timing` is shortened by tests only. */
  constructor(settings: NtfyConfig, host: ChannelHost, timing: NtfyTiming = TIMING) {
    this.#settings = settings;
    this.#host = host;
    this.#timing = timing;
    this.#api = new NtfyApi(settings, host.clock, this.#stop.signal);
  }

  start(inbox: Inbox): Promise<void> {
    this.#listening ??= this.#listen(inbox);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#listening;
    this.#host.report({ state: "stopped" });
  }

  async deliver(notice: Notice): Promise<DeliveryRef> {
    const { buttons, ...card } = renderNotice(notice, this.#host.clock.now());
    const actions = buttons.map((button) => this.#buildAction(notice, button));
    await this.#publish(notice.place, { ...card, actions });
    return buildRef(notice.place, notice.deliveryId);
  }

  /** Never called: without `edit` the hub delivers the outcome as a text of its own. */
  settle(): Promise<void> {
    return Promise.resolve();
  }

  probe(limitMs: number): Promise<void> {
    return this.#api.probe(limitMs);
  }

  interpret(raw: unknown): Inbound | null {
    const row = v.safeParse(storedUpdate, raw);
    const tap = row.success ? v.safeParse(tapBody, parseJson(row.output.update.message)) : null;
    // The service names no sender. Who knows the token has read the topic, and that is one person by her own word.
    const [person] = this.#settings.deliver_to;
    if (!row.success || !tap?.success || person === undefined) return null;
    const { token, delivery, place } = tap.output;
    const identity = asId<Identity>(`ntfy:${person}`);
    const { receivedAt } = row.output;
    return { kind: "tap", token, ref: buildRef(place, delivery), identity, place, receivedAt };
  }

  /** There is no spinner to stop: the answer is a message without a sound, or with one where it deserves it. */
  async respond(raw: unknown, { text, alert }: InboundResponse): Promise<null> {
    const tap = this.interpret(raw);
    if (tap === null || text === "") return null;
    const answer = { message: fitMessage(text), priority: alert ? 3 : 2 };
    await this.#publish(tap.place, answer).catch(() =>
      this.#host.log("warn", "ntfy answer was not delivered"),
    );
    return null;
  }

  async #publish(place: string, message: Readonly<Record<string, unknown>>): Promise<void> {
    this.#host.wrote(place);
    await this.#api.publish(message);
  }

  /** The notification goes away with its buttons (`clear`) once the tap is published. */
  #buildAction(notice: Notice, button: NoticeButton): object {
    const { server, reply_topic, reply_token } = this.#settings;
    const body = JSON.stringify({ token: button.token, delivery: notice.deliveryId, place: notice.place });
    const headers = { Authorization: `Bearer ${reply_token}` };
    const url = `${server}/${reply_topic}`;
    const label = renderLabel(notice, button);
    return { action: "http", label, url, method: "POST", headers, body, clear: true };
  }

  /** Never gives up. Resolves when the channel stops. */
  async #listen(inbox: Inbox): Promise<void> {
    const host = this.#host;
    const { retryMs, retryMaxMs } = this.#timing;
    const report = reportChanges(host);
    report({ state: "starting" });
    const isOver = (): boolean => this.#stop.signal.aborted;
    for (let attempt = 1; !isOver(); attempt += 1) {
      const failure = await this.#listenOnce(inbox, () => {
        attempt = 1;
        report({ state: "connected" });
      }).catch((error: unknown) => error);
      if (isOver()) return;
      const isFull = failure instanceof StoreFailed;
      const reason = isFull ? failure.message : describeConnectionFailure(failure).reason;
      report({ state: "degraded", reason, action: isFull ? CHECK_DISK : CHECK_NETWORK });
      await wait(host.clock, computeDelay(retryMs, retryMaxMs, attempt, host.random()), this.#stop.signal);
    }
  }

  /** Each message is stored before the place to go on from moves past it. Errors: StoreFailed, those of `NtfyApi.follow`. */
  async #listenOnce(inbox: Inbox, onOpen: () => void): Promise<void> {
    const host = this.#host;
    const key = buildSettingKey(this.#settings);
    const silence = new AbortController();
    const expectLine = (): (() => void) => host.clock.after(this.#timing.silenceMs, () => silence.abort());
    let cancel = expectLine();
    try {
      // An id that the service has forgotten stands for all that it has; so does none. The store knows what it had already.
      for await (const update of this.#api.follow(host.getSetting(key) ?? "all", silence.signal)) {
        cancel();
        cancel = expectLine();
        if (v.is(opened, update)) onOpen();
        if (!v.is(published, update)) continue;
        await inbox.store(update.id, { receivedAt: host.clock.now(), update }).catch((cause: unknown) => {
          throw new StoreFailed("an update could not be stored", { cause });
        });
        host.setSetting(key, update.id);
      }
    } finally {
      cancel();
    }
  }
}

const CHECK_DISK = "Check the disk and the hub's log; ntfy keeps the update for hours.";
const CHECK_NETWORK =
  "Check the network, and whether `token` may read `reply_topic`; it is tried again by itself.";

/** Ours, not the service's: what a button says has to be known before the card has an id. */
function buildRef(place: string, delivery: string): DeliveryRef {
  return { place, delivery };
}

/** Of this server and topic only; the topic's name is a secret, and settings are not. */
function buildSettingKey({ server, reply_topic }: NtfyConfig): string {
  return `since:${createHash("sha256").update(`${server}/${reply_topic}`).digest("hex").slice(0, 16)}`;
}
