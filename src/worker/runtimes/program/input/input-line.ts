/** Whether a line for a running command arrives as it is: the terminal may cut it, and a line editor may take a part of it for a key. */
import type { TtySignals } from "../../../process/facts/tty-facts.js";
import { LINE_BYTES_MAX } from "./plan-input.js";

/** Why what reads there would get another line than `text`, or null. */
export function findAlteration(
  text: string,
  { canonical, blockedOnRead }: Pick<TtySignals, "canonical" | "blockedOnRead">,
): string | null {
  if (canonical !== false && Buffer.byteLength(text) > LINE_BYTES_MAX)
    return `it is longer than ${LINE_BYTES_MAX} bytes, and its terminal cuts a longer line`;
  // What nobody waits for yet may come to a line editor after all.
  const isWholeLine = canonical === true && blockedOnRead === true;
  return text.includes("\t") && !isWholeLine
    ? "it contains a tab, which a line editor takes for a request to complete the line"
    : null;
}
