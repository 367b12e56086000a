/** A long list is given in pages that are bounded in size and time and together make up the list. */
import { describe, expect, it } from "vitest";
import { PAGE_BYTES_MAX, PAGE_MS_MAX, readPage } from "../../../../src/hub/ledger/list-page.js";
import { ManualClock } from "../../../../src/observe/clock.js";

interface Row {
  readonly id: string;
  readonly text?: string;
}

/** The rows in order, and how many of them were read. */
function makeList(rows: readonly Row[], clock = new ManualClock(), msEach = 0) {
  const shown: string[] = [];
  const page = (after: string | null): string[] =>
    readPage(clock, after, {
      read: (last, count) => {
        const start = last === null ? 0 : rows.findIndex(({ id }) => id === last) + 1;
        return rows.slice(start, start + count);
      },
      getId: ({ id }) => id,
      show: (row) => {
        shown.push(row.id);
        clock.advance(msEach);
        return row;
      },
    }).map(({ id }) => id);
  return { page, shown };
}

function makeRows(count: number, text?: string): Row[] {
  return Array.from({ length: count }, (_, at) => ({ id: `${at}`, ...(text === undefined ? {} : { text }) }));
}

describe("a page of a long list", () => {
  it("is the whole list while that is small, and empty after its end", () => {
    const { page } = makeList(makeRows(50));
    expect(page(null)).toHaveLength(50);
    expect(page("47")).toEqual(["48", "49"]);
    expect(page("49")).toEqual([]);
  });

  it("ends when a message is half full, so that the pages together are the list", () => {
    const rows = makeRows(10, "x".repeat(PAGE_BYTES_MAX / 3));
    const { page } = makeList(rows);
    const all: string[] = [];
    for (let next = page(null); next.length > 0; next = page(next.at(-1)!)) {
      expect(next.length).toBeLessThanOrEqual(4);
      all.push(...next);
    }
    expect(all).toEqual(rows.map(({ id }) => id));
  });

  it("ends after a moment, and shows no row in vain", () => {
    const { page, shown } = makeList(makeRows(1_000), new ManualClock(), 1);
    expect(page(null)).toHaveLength(PAGE_MS_MAX);
    expect(shown).toHaveLength(PAGE_MS_MAX);
  });

  it("has one item although that alone takes longer, or is larger", () => {
    expect(makeList(makeRows(3), new ManualClock(), 500).page(null)).toEqual(["0"]);
    expect(makeList(makeRows(3, "x".repeat(PAGE_BYTES_MAX))).page(null)).toEqual(["0"]);
  });
});
