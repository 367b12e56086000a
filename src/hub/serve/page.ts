/** Lists longer than a line of the wire go out in pages. */
import { LINE_BYTES_MAX } from "../../wire/messages.js";

/** Half a line: a page ends with the item that passes this, and one item is never near the other half. */
export const PAGE_BYTES_MAX = LINE_BYTES_MAX / 2;

/** What follows `after` (all, where it is absent or unknown), as far as a page goes; at least one item while there is any. */
export function pageAfter<T>(items: readonly T[], idOf: (item: T) => string, after: string | undefined): T[] {
  const start = after === undefined ? 0 : items.findIndex((item) => idOf(item) === after) + 1;
  const page: T[] = [];
  for (let at = start, bytes = 0; at < items.length && bytes < PAGE_BYTES_MAX; at += 1) {
    const item = items[at] as T;
    bytes += Buffer.byteLength(JSON.stringify(item));
    page.push(item);
  }
  return page;
}
