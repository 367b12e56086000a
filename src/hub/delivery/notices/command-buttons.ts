/** The buttons under the result of a command: what a debugger at its prompt offers to run next. */
import type { NoticeButton } from "../../../sdk/channel.js";
import type { TokenRow } from "../../store/tables/deliveries.js";

export interface CommandButton {
  readonly label: string;
  readonly command: string;
  /** The mode of the program in which it was offered; null: the program has none. */
  readonly mode: string | null;
}

const PREFIX = "command:";

export function encodeCommandButton(button: CommandButton): string {
  return `${PREFIX}${JSON.stringify(button)}`;
}

export function parseCommandButton(value: string): CommandButton | null {
  return value.startsWith(PREFIX) ? (JSON.parse(value.slice(PREFIX.length)) as CommandButton) : null;
}

export function renderCommandButtons(tokens: readonly TokenRow[]): NoticeButton[] {
  return tokens.flatMap(({ token, value }) => {
    const label = parseCommandButton(value)?.label;
    return label === undefined ? [] : [{ token, value: "", choice: { label, intent: "other" as const } }];
  });
}
