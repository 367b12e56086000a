/** One page of a long list: as much as fits into a message and into a moment in which nobody else is served. */
import type { Clock } from "../../model/clock.js";
import { LINE_BYTES_MAX } from "../../wire/messages.js";

/** Half a line: a page ends with the item that passes this, and one item is never near the other half. */
export const PAGE_BYTES_MAX = LINE_BYTES_MAX / 2;
/** Everybody else waits while a page is made: an answer, another list. */
export const PAGE_MS_MAX = 20;
/** Read at once; a page that is done with before leaves few of them unused. */
const ROWS_AT_ONCE = 20;

export interface ListSource<Row, Item> {
  /** At most `rows` rows that follow the one with the id `after`. */
  readonly read: (after: string | null, rows: number) => readonly Row[];
  readonly idOf: (row: Row) => string;
  readonly show: (row: Row) => Item;
}

/** At least one item while there is any. */
export function pageOf<Row, Item>(
  clock: Pick<Clock, "monotonic">,
  after: string | null,
  { read, idOf, show }: ListSource<Row, Item>,
): Item[] {
  const began = clock.monotonic();
  const page: Item[] = [];
  let bytes = 0;
  let last = after;
  for (;;) {
    const rows = read(last, ROWS_AT_ONCE);
    for (const row of rows) {
      const item = show(row);
      page.push(item);
      last = idOf(row);
      bytes += Buffer.byteLength(JSON.stringify(item));
      if (bytes >= PAGE_BYTES_MAX || clock.monotonic() - began >= PAGE_MS_MAX) return page;
    }
    if (rows.length < ROWS_AT_ONCE) return page;
  }
}
