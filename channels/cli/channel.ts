/**
 * The hub's side of the local terminal, without a service. Watching clients are told that something changed and fetch the list;
 * others fetch it when they start. Answers arrive over the hub's socket, never through the inbox.
 */
import type { Channel, ChannelHost, Notice, Outcome } from "../../src/sdk/channel.js";
import type { DeliveryRef } from "../../src/sdk/delivery-ref.js";

/** The events that watching clients receive. */
export type WatchEvent =
  | { readonly kind: "raised"; readonly promptId: string; readonly shortId: string }
  | {
      readonly kind: "settled";
      readonly promptId: string;
      readonly shortId: string;
      readonly state: Outcome["state"];
      readonly text: string;
      /** False: the prompt is open again. */
      readonly final: boolean;
    }
  | { readonly kind: "text"; readonly text: string };

export class CliChannel implements Channel {
  readonly #host: ChannelHost;

  constructor(host: ChannelHost) {
    this.#host = host;
  }

  start(): Promise<void> {
    this.#host.report({ state: "connected" });
    return Promise.resolve();
  }

  deliver(notice: Notice): Promise<DeliveryRef> {
    this.#broadcast(
      notice.kind === "prompt"
        ? { kind: "raised", promptId: notice.promptId, shortId: notice.shortId }
        : { kind: "text", text: [notice.text, ...(notice.block === null ? [] : [notice.block])].join("\n") },
    );
    return Promise.resolve({ deliveryId: notice.deliveryId });
  }

  settle(_ref: DeliveryRef, notice: Notice, { state, text, final }: Outcome): Promise<void> {
    if (notice.kind === "prompt") {
      const { promptId, shortId } = notice;
      this.#broadcast({ kind: "settled", promptId, shortId, state, text, final });
    }
    return Promise.resolve();
  }

  interpret(): null {
    return null;
  }

  respond(): Promise<null> {
    return Promise.resolve(null);
  }

  stop(): Promise<void> {
    this.#host.report({ state: "stopped" });
    return Promise.resolve();
  }

  #broadcast(news: WatchEvent): void {
    this.#host.broadcast(news);
  }
}
