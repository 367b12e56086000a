/** The button under a task that was not sent because the tool's input box was not empty. */
import type { NoticeButton } from "../../../sdk/channel.js";
import type { TokenRow } from "../../store/tables/deliveries.js";

const PREFIX = "clear:";
const CHOICE = { label: "🧹 Clear it and send the task", intent: "other" } as const;

export function encodeClearing(draftHash: string): string {
  return `${PREFIX}${draftHash}`;
}

export function parseClearing(value: string): string | null {
  return value.startsWith(PREFIX) ? value.slice(PREFIX.length) : null;
}

export function renderClearButtons(tokens: readonly TokenRow[]): NoticeButton[] {
  return tokens
    .filter(({ value }) => parseClearing(value) !== null)
    .map(({ token, value }) => ({ token, value, choice: CHOICE }));
}
