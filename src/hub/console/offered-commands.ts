/** Buttons under a result for what its debugger offers to run next. At most one result of a session has them, the newest one. */
import { asId, type DeliveryId, type SessionId } from "../../model/ids.js";
import type { ConsoleResult } from "../../wire/calls/console-calls.js";
import { TOKEN_BYTES } from "../delivery/notices/buttons.js";
import { encodeCommandButton } from "../delivery/notices/command-buttons.js";
import { quoteCommand } from "./console-text.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { offerButton } from "../ledger/offer-button.js";
import type { DeliveryRow } from "../store/tables/deliveries.js";
import { PRIORITY } from "../store/tables/outbox.js";

const SCOPE = "console_offer";
/** What chats are told of a command that was given elsewhere. */
export const GIVEN_ELSEWHERE = "▶️ A further command was given.";

/** The message whose buttons may still be tapped. */
export function findOffer({ store }: Ledger, sessionId: SessionId): DeliveryId | null {
  const deliveryId = store.settings.get(SCOPE, sessionId);
  return deliveryId === null ? null : asId<DeliveryId>(deliveryId);
}

/** Puts the buttons under a message that is not sent yet, where its channel has buttons and can take them away again. */
export function offerCommands(
  ledger: Ledger,
  tx: Transaction,
  {
    sessionId,
    deliveryId,
    channel,
  }: { readonly sessionId: SessionId; readonly deliveryId: DeliveryId; readonly channel: string },
  { offers = [], mode }: Pick<ConsoleResult, "offers" | "mode">,
): void {
  const { store, options } = ledger;
  // People must know what a tap runs: what the line that names it would not show as it is gets no button.
  const shown = offers.filter(
    ({ command }) => quoteCommand(command, options.safeText) === `“${command}”` && command.trim() === command,
  );
  const { capabilities } = options.configuredChannels().find(({ id }) => id === channel) ?? {};
  const hasRoom = shown.length > 0 && shown.length <= (capabilities?.buttonsMax ?? 0);
  if (!hasRoom || capabilities?.edit !== true || capabilities.tokenBytesMax < TOKEN_BYTES) return;
  withdrawOffer(ledger, tx, sessionId, GIVEN_ELSEWHERE);
  for (const { label, command } of shown) {
    const button = { label: options.safeText(label), command, mode };
    offerButton(ledger, { deliveryId, twinOf: null }, encodeCommandButton(button));
  }
  store.settings.set(SCOPE, sessionId, deliveryId);
}

/** Takes the buttons away. The message then begins with `told`; with `only`, where it is at another place, without the command. */
export function withdrawOffer(
  ledger: Ledger,
  tx: Transaction,
  sessionId: SessionId,
  told: string,
  only?: Pick<DeliveryRow, "channel" | "place">,
): void {
  const { store, options } = ledger;
  const deliveryId = findOffer(ledger, sessionId);
  if (deliveryId === null) return;
  store.settings.remove(SCOPE, sessionId);
  const delivery = store.deliveries.find(deliveryId);
  if (delivery === null || delivery.state === "abandoned") return;
  const isThere = only === undefined || (delivery.channel === only.channel && delivery.place === only.place);
  const text = options.safeText(isThere ? told : GIVEN_ELSEWHERE);
  const outcome = { state: "withdrawn", text, final: true } as const;
  store.outbox.addSettle(deliveryId, PRIORITY.edit, tx.now, outcome);
  tx.emit({ kind: "outbox" });
}
