/** Reads one page of a long list: as much as fits into one message and into the time for which others may wait. */
import type { Clock } from "../../model/clock.js";
import { LINE_BYTES_MAX } from "../../wire/messages.js";

/** Half of a message: a page ends with the first item beyond it, and no item comes near the other half. */
export const PAGE_BYTES_MAX = LINE_BYTES_MAX / 2;
/** Nothing else is served while a page is built. */
export const PAGE_MS_MAX = 20;
/** Rows per read; a page that ends early wastes few of them. */
const ROWS_AT_ONCE = 20;

export interface ListSource<Row, Item> {
  readonly read: (after: string | null, rows: number) => readonly Row[];
  readonly getId: (row: Row) => string;
  readonly show: (row: Row) => Item;
}

export function readPage<Row, Item>(
  clock: Pick<Clock, "monotonic">,
  after: string | null,
  { read, getId, show }: ListSource<Row, Item>,
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
      last = getId(row);
      bytes += Buffer.byteLength(JSON.stringify(item));
      if (bytes >= PAGE_BYTES_MAX || clock.monotonic() - began >= PAGE_MS_MAX) return page;
    }
    if (rows.length < ROWS_AT_ONCE) return page;
  }
}
