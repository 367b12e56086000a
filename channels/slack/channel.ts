/** The running channel: posts cards and receives envelopes. Everything that needs no network is in the files beside it. */
import type {
  Channel,
  ChannelHost,
  Identity,
  Inbound,
  InboundResponse,
  Inbox,
  Notice,
  Outcome,
  PromptNotice,
} from "../../src/sdk/channel.js";
import type { DeliveryRef } from "../../src/sdk/delivery-ref.js";
import { sendResponse } from "./events/respond.js";
import type { SlackApi } from "./web-api/api.js";
import { renderCard } from "./cards/card.js";
import { SlackConnection } from "./socket-mode/connection.js";
import { toDeliveryError, isRefusedWith } from "./web-api/failure.js";
import { Homes } from "./events/homes.js";
import { getIdentity, interpretStored, buildRef } from "./events/interpret.js";
import { parseStored, replaceText } from "./events/payloads.js";
import { react } from "./events/interaction.js";
import type { SlackTiming } from "./limits.js";
import { SlackPoster } from "./cards/poster.js";
import { renderText } from "./cards/text-notice.js";
import { Threads } from "./cards/threads.js";

export interface SlackParts {
  readonly api: SlackApi;
  readonly appToken: string;
  readonly host: ChannelHost;
  readonly timing: SlackTiming;
  /** 0..1 */
  readonly random: () => number;
}

export class SlackChannel implements Channel {
  readonly #parts: SlackParts;
  readonly #connection: SlackConnection;
  readonly #poster: SlackPoster;
  readonly #homes: Homes;
  readonly #threads: Threads;

  constructor(parts: SlackParts) {
    this.#parts = parts;
    const homes = new Homes(parts);
    this.#homes = homes;
    this.#threads = new Threads(parts.host);
    this.#poster = new SlackPoster(parts);
    this.#connection = new SlackConnection({
      ...parts,
      onStored: (row) => void react({ ...parts, homes }, row),
    });
  }

  start(inbox: Inbox): Promise<void> {
    this.#connection.start(inbox);
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.#homes.stop();
    return this.#connection.stop();
  }

  interpret(raw: unknown): Inbound | null {
    return interpretStored(raw, {
      findSession: (channel, ts) => this.#threads.findSession(channel, ts),
      knows: (deliveryId) => this.#parts.host.knows(deliveryId),
    });
  }

  countOmitted(notice: PromptNotice): number {
    return renderCard(notice, { now: this.#parts.host.clock.now() }).omitted;
  }

  replaceText(raw: unknown, text: string): unknown {
    return replaceText(raw, text);
  }

  findSender(raw: unknown): Identity | null {
    const parsed = parseStored(raw);
    return parsed && getIdentity(parsed);
  }

  respond(raw: unknown, answer: InboundResponse): Promise<DeliveryRef | null> {
    if (answer.isForeignCard === true) this.#connection.recount();
    return sendResponse(this.#parts, raw, answer);
  }

  async deliver(notice: Notice): Promise<DeliveryRef> {
    const now = this.#parts.host.clock.now();
    try {
      const ts = await this.#poster.post(
        notice,
        notice.kind === "prompt" ? renderCard(notice, { now }) : renderText(notice),
      );
      this.#homes.refresh();
      return buildRef(notice.place, ts);
    } catch (error) {
      throw toDeliveryError(error);
    }
  }

  async announce(place: string, text: string): Promise<void> {
    try {
      await this.#poster.postLine(place, text);
    } catch (error) {
      throw toDeliveryError(error);
    }
  }

  /** Its own limit for calls that a person waits for is shorter. */
  async probe(): Promise<void> {
    try {
      await this.#parts.api.callNow("auth.test", {});
    } catch (error) {
      throw toDeliveryError(error);
    }
  }

  async settle(ref: DeliveryRef, notice: Notice, outcome: Outcome): Promise<void> {
    const now = this.#parts.host.clock.now();
    const card =
      notice.kind === "prompt" ? renderCard(notice, { now, outcome }) : renderText(notice, outcome);
    try {
      await this.#poster.replace(buildRef(String(ref["channel"]), String(ref["ts"])), card);
      this.#homes.refresh();
    } catch (error) {
      // A card that no longer exists counts as settled; one that can no longer be edited does not.
      if (isRefusedWith(error, "message_not_found")) return;
      if (!isRefusedWith(error, "edit_window_closed", "cant_update_message")) throw toDeliveryError(error);
      await this.#sayInstead(notice, outcome);
    }
  }

  /** This workspace forbids edits after a while, so the outcome comes as a new message. */
  async #sayInstead(notice: Notice, outcome: Outcome): Promise<void> {
    const { deliveryId, place, session } = notice;
    const about = notice.kind === "prompt" ? `${notice.shortId}: ` : "";
    const text = {
      kind: "text",
      deliveryId,
      place,
      session,
      text: `${about}${outcome.text}`,
      block: null,
      quiet: notice.quiet,
      addressees: [],
    } as const;
    try {
      await this.#poster.post(text, renderText(text));
    } catch (error) {
      throw toDeliveryError(error);
    }
  }
}
