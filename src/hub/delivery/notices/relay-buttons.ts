/** The buttons under the message that a session's prompts are held back. */
import type { NoticeButton } from "../../../sdk/channel.js";
import type { TokenRow } from "../../store/tables/deliveries.js";

export type RelayWish = "deny_all" | "go_on";

const BUTTONS: readonly { readonly wish: RelayWish; readonly value: string; readonly label: string }[] = [
  { wish: "deny_all", value: "relay:deny", label: "⛔ Deny all and stop" },
  { wish: "go_on", value: "relay:on", label: "▶️ Go on" },
];

export function encodeRelayWish(wish: RelayWish): string {
  return wish === "deny_all" ? "relay:deny" : "relay:on";
}

export function parseRelayWish(value: string): RelayWish | null {
  return BUTTONS.find((button) => button.value === value)?.wish ?? null;
}

export function renderRelayButtons(tokens: readonly TokenRow[]): NoticeButton[] {
  return BUTTONS.flatMap(({ value, label }) => {
    const token = tokens.find((row) => row.value === value)?.token;
    return token === undefined ? [] : [{ token, value, choice: { label, intent: "other" as const } }];
  });
}
