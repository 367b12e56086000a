/** The buttons under a task that was not sent because the tool's input box was not empty. */
import type { NoticeButton } from "../../../sdk/channel.js";
import type { TokenRow } from "../../store/tables/deliveries.js";

const PREFIX = "clear:";
/** A tap on it only takes the buttons away. */
export const LEAVE_DRAFT = "leave";

export function encodeClearing(draftHash: string): string {
  return `${PREFIX}${draftHash}`;
}

export function parseClearing(value: string): string | null {
  return value.startsWith(PREFIX) ? value.slice(PREFIX.length) : null;
}

export function renderClearButtons(tokens: readonly TokenRow[]): NoticeButton[] {
  return tokens.flatMap(({ token, value }) => {
    const label = parseClearing(value) !== null ? "🧹 Replace it" : value === LEAVE_DRAFT ? "Leave it" : null;
    return label === null ? [] : [{ token, value, choice: { label, intent: "other" as const } }];
  });
}
