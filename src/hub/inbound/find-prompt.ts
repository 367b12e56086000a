/** Which prompt a text names, or which message of ours it replies to. */
import type { Inbound } from "../../sdk/channel.js";
import { offersSeveral } from "../delivery/offers.js";
import type { ConfiguredChannel } from "../people/routing.js";
import type { DeliveryRow } from "../store/tables/deliveries.js";
import type { Ledger } from "../ledger/ledger.js";

/** `answer k7 2`; the slash of chat commands is optional. */
const ANSWER_COMMAND = /^\/?answer +([a-z0-9]{2,6}) +([\s\S]+)$/i;

export function readAnswerCommand(text: string): { readonly shortId: string; readonly value: string } | null {
  const [, shortId, value] = ANSWER_COMMAND.exec(text.trim()) ?? [];
  return shortId === undefined || value === undefined ? null : { shortId: shortId.toLowerCase(), value };
}

export function findRepliedDelivery(
  ledger: Ledger,
  configuredChannel: ConfiguredChannel,
  reply: Pick<Extract<Inbound, { kind: "text_reply" }>, "ref" | "deliveryId" | "place">,
): DeliveryRow | null {
  const { deliveries } = ledger.store;
  const named = reply.deliveryId === undefined ? null : deliveries.find(reply.deliveryId);
  if (named?.channel === configuredChannel.id && named.place === reply.place) return named;
  const found = deliveries.findByRef(configuredChannel.id, reply.ref);
  return found !== null && offersSeveral(ledger.store, found) ? null : found;
}
