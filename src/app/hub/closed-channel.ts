/**
 * Replaces a channel whose address is unconfirmed: it connects to nothing and reports why. Updates stored earlier are still
 * parsed by the channel itself, which is never started.
 */
import { DeliveryError, type Channel, type ChannelHost } from "../../sdk/channel.js";
import { type DeliveryRef } from "../../sdk/delivery-ref.js";
import { describeHowToConfirm, describeUnconfirmed } from "../../plugins/channels/endpoints.js";

export function createClosedChannel(
  { id, address, channel }: { readonly id: string; readonly address: string; readonly channel: Channel },
  host: Pick<ChannelHost, "report">,
): Channel {
  const refuse = (): Promise<DeliveryRef> =>
    Promise.reject(new DeliveryError(describeUnconfirmed(address), { certainty: "not_sent" }));
  return {
    start: () => {
      host.report({
        state: "failed",
        reason: describeUnconfirmed(address),
        action: describeHowToConfirm(id),
      });
      return Promise.resolve();
    },
    deliver: refuse,
    settle: () => refuse().then(() => undefined),
    interpret: (raw) => channel.interpret(raw),
    findSender: (raw) => channel.findSender?.(raw) ?? null,
    respond: () => Promise.resolve(null),
    stop: () => Promise.resolve(),
  };
}
