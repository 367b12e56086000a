/** Output of which parts were cut gives the same terminal as all of the output, in every cell, mode and count. */
import xterm from "@xterm/headless";
import type { IBufferCell, Terminal } from "@xterm/headless";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Feed } from "../../../../../src/worker/screen/emulator/feed.js";
import { useModernWidths } from "../../../../../src/worker/screen/widths.js";
import { CSI, flood, moves, pen, switches, word } from "../../../../support/terminal-output.js";

const COLS = 11;
const ROWS = 4;
const KEPT_LINES = 6;
const GRAIN_BYTES = 8;

interface Fed {
  readonly terminal: Terminal;
  readonly feed: Feed;
  readonly seen: { titles: string[]; replies: string[] };
}

function fed(): Fed {
  const terminal = new xterm.Terminal({
    cols: COLS,
    rows: ROWS,
    scrollback: KEPT_LINES,
    allowProposedApi: true,
    logLevel: "off",
  });
  useModernWidths(terminal);
  const seen: Fed["seen"] = { titles: [], replies: [] };
  terminal.onTitleChange((title) => seen.titles.push(title));
  terminal.onData((reply) => {
    if (reply !== "") seen.replies.push(reply);
  });
  return { terminal, feed: new Feed(terminal, KEPT_LINES, GRAIN_BYTES), seen };
}

function parseAll({ feed }: Fed): void {
  while (feed.parse());
}

function whole({ terminal, feed, seen }: Fed): unknown {
  return {
    buffers: [terminal.buffer.normal, terminal.buffer.alternate].map((buffer) => ({
      cursor: [buffer.cursorX, buffer.cursorY],
      top: buffer.baseY,
      lines: Array.from({ length: buffer.length }, (_, y) => {
        const line = buffer.getLine(y);
        return [
          line?.isWrapped,
          Array.from({ length: terminal.cols }, (__, x) => readCell(line?.getCell(x))),
        ];
      }),
    })),
    shown: terminal.buffer.active.type,
    modes: terminal.modes,
    seen,
    lineFeeds: feed.lineFeeds,
    bytes: [feed.parsedBytes, feed.writtenBytes, feed.backlogBytes],
  };
}

function readCell(cell: IBufferCell | undefined): unknown {
  if (!cell) return null;
  const colours = [cell.getFgColorMode(), cell.getFgColor(), cell.getBgColorMode(), cell.getBgColor()];
  const styles = [
    cell.isBold(),
    cell.isDim(),
    cell.isItalic(),
    cell.isUnderline(),
    cell.isBlink(),
    cell.isInverse(),
    cell.isInvisible(),
    cell.isStrikethrough(),
    cell.isOverline(),
  ];
  return [cell.getChars(), cell.getWidth(), ...colours, ...styles].join();
}

const broken = fc.constantFrom(
  Buffer.from([0xe2, 0x80]),
  Buffer.from([0xff]),
  Buffer.from([0xc2]),
  Buffer.from([0x9b]),
);
/** What the flood comes upon: switches, styles, a cursor somewhere, rows that wrap. */
const before = fc
  .array(
    fc.oneof(
      moves,
      switches,
      pen,
      word,
      word.map((text) => text.repeat(4)),
      flood,
    ),
    { maxLength: 3 },
  )
  .map((parts) => Buffer.from(parts.join("")));
const part = fc.oneof(
  { weight: 9, arbitrary: flood.map((text) => Buffer.from(text)) },
  { weight: 2, arbitrary: fc.oneof(moves, switches, pen).map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: broken },
);
const after = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => Buffer.concat(parts));
const stream = fc.array(fc.tuple(before, fc.boolean(), after), { minLength: 1, maxLength: 3 });

/** How output comes in and is worked on: the length of a read, whether cuts are looked for behind it, pieces that are parsed then. */
const step = fc.tuple(
  fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 20, max: 900 })),
  fc.boolean(),
  fc.integer({ min: 0, max: 3 }),
);
const steps = fc.array(step, { minLength: 1, maxLength: 6 });

/** `first` is parsed, then `rest` comes in and is cut. */
function cutAfter(
  first: string,
  rest: string,
): { readonly wasCut: boolean; readonly some: unknown; readonly all: unknown } {
  const [all, some] = [fed(), fed()];
  all.feed.push(Buffer.from(first + rest));
  parseAll(all);
  some.feed.push(Buffer.from(first));
  parseAll(some);
  some.feed.push(Buffer.from(rest));
  const wasCut = some.feed.cut();
  parseAll(some);
  return { wasCut, some: whole(some), all: whole(all) };
}

const PAINTED = [1, 2, 3, 4].map((row) => `${CSI}${row}H${row}${CSI}K`).join("");
const FED = `${CSI}H1${CSI}K\r\n2${CSI}K\r\n3${CSI}K\r\n4${CSI}K`;

describe("output with cuts", () => {
  it("makes the same terminal as all of the output does, in every cell, mode and count", () => {
    let cutBytes = 0;
    fc.assert(
      fc.property(stream, steps, (parts, work) => {
        const [all, some] = [fed(), fed()];
        for (const [first, , then] of parts) all.feed.push(Buffer.concat([first, then]));
        parseAll(all);
        let turn = 0;
        for (const [first, isParsed, then] of parts) {
          some.feed.push(first);
          if (isParsed) parseAll(some);
          for (let at = 0; at < then.length; turn++) {
            const [length, cuts, pieces] = work[turn % work.length] ?? [1, true, 0];
            some.feed.push(then.subarray(at, at + length));
            at += length;
            const uncut = some.feed.backlogBytes;
            if (cuts && some.feed.cut()) cutBytes += uncut - some.feed.backlogBytes;
            for (let piece = 0; piece < pieces; piece++) some.feed.parse();
          }
        }
        parseAll(some);
        expect(whole(some)).toEqual(whole(all));
        // The pen shows in what is written next.
        for (const each of [all, some]) {
          each.feed.push(Buffer.from(`p${CSI}K`));
          parseAll(each);
        }
        expect(whole(some)).toEqual(whole(all));
        all.terminal.dispose();
        some.terminal.dispose();
      }),
      { numRuns: Number(process.env["FEED_RUNS"] ?? 400) },
    );
    expect(cutBytes).toBeGreaterThan(0);
  });

  it.each([
    ["lines that scroll out", "", "line\r\n".repeat(40), true],
    ["pictures that are painted over", "", PAINTED.repeat(4), true],
    ["pictures fed row by row, on the other screen", `${CSI}?1049h`, FED.repeat(4), true],
    ["an erased screen", "text", `${CSI}2J${CSI}2;2Htext`.repeat(3), true],
    ["a sequence that was parsed in part", `text${CSI}3`, "1mline\r\n".repeat(40), true],
    ["a cut sequence that nothing follows", `text${CSI}`, `K${"4h\r\n".repeat(40)}`, true],
    [
      "rows that were wrapped, and that only some pictures unwrap",
      "w".repeat(40),
      FED + PAINTED.repeat(3),
      false,
    ],
    ["lines too few to scroll everything out", "", "line\r\n".repeat(14), false],
    ["a picture that leaves a row as it was", "", `${CSI}H1${CSI}K${CSI}2H2${CSI}K`.repeat(9), false],
    ["rows that scroll by themselves", `${CSI}2;3r`, "line\r\n".repeat(40), false],
    ["a title between the lines", "", `line\r\n\u001b]0;title\u0007`.repeat(40), false],
  ])("knows %s", (_, first, rest, isCut) => {
    const { wasCut, some, all } = cutAfter(first, rest);
    expect(wasCut).toBe(isCut);
    expect(some).toEqual(all);
  });
});
