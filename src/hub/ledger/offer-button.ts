import type { Token } from "../../model/ids.js";
import type { DeliveryRow } from "../store/tables/deliveries.js";
import type { Ledger } from "./ledger.js";

/** The token of the message's button with this value. If there is none, a new one is made, which the message does not show yet. */
export function offerButton(
  { store, options }: Ledger,
  { deliveryId, twinOf }: Pick<DeliveryRow, "deliveryId" | "twinOf">,
  value: string,
  acceptsHidden: string | null = null,
): Token {
  const known = store.deliveries.listTokens({ deliveryId, twinOf });
  const own = known.find((row) => row.value === value && row.acceptsHidden === acceptsHidden);
  if (own) return own.token;
  const token = options.random.token();
  const position = 1 + Math.max(-1, ...known.map((row) => row.position));
  store.deliveries.insertToken({ token, deliveryId: twinOf ?? deliveryId, position, value, acceptsHidden });
  return token;
}
