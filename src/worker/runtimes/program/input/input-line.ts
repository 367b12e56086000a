import type { TtySignals } from "../../../process/facts/tty-facts.js";
import { LINE_BYTES_MAX } from "./plan-input.js";

/** Returns why the program would read something other than `text`, or null. */
export function findAlteration(
  text: string,
  { canonical, blockedOnRead }: Pick<TtySignals, "canonical" | "blockedOnRead">,
): string | null {
  if (canonical !== false && Buffer.byteLength(text) > LINE_BYTES_MAX)
    return `it is longer than ${LINE_BYTES_MAX} bytes, and its terminal cuts a longer line`;
  // A line that no program is waiting for yet may be read by a line editor.
  const isWholeLine = canonical === true && blockedOnRead === true;
  return text.includes("\t") && !isWholeLine
    ? "it contains a tab, which a line editor takes for a request to complete the line"
    : null;
}
