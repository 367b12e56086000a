/** Stands in for a channel whose address nobody has confirmed: it connects to nothing, and says why. */
import { DeliveryError, type Channel, type ChannelHost, type DeliveryRef } from "../../sdk/channel.js";
import { howToConfirm, unconfirmedText } from "../channels/endpoints.js";

export function closedChannel(id: string, address: string, host: Pick<ChannelHost, "report">): Channel {
  const refuse = (): Promise<DeliveryRef> =>
    Promise.reject(new DeliveryError(unconfirmedText(address), { certainty: "not_sent" }));
  return {
    start: () => {
      host.report({ state: "failed", reason: unconfirmedText(address), action: howToConfirm(id) });
      return Promise.resolve();
    },
    deliver: refuse,
    settle: () => refuse().then(() => undefined),
    interpret: () => null,
    answer: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  };
}
