import xterm from "@xterm/headless";
import type { IBufferCell, Terminal } from "@xterm/headless";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Feed } from "../../src/worker/screen/feed.js";
import { useModernWidths } from "../../src/worker/screen/widths.js";

/** Small, so that little output scrolls out of it. */
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

/** All that an emulator can be asked for, cell by cell. */
function whole({ terminal, feed, seen }: Fed): unknown {
  return {
    buffers: [terminal.buffer.normal, terminal.buffer.alternate].map((buffer) => ({
      cursor: [buffer.cursorX, buffer.cursorY],
      top: buffer.baseY,
      lines: Array.from({ length: buffer.length }, (_, y) => {
        const line = buffer.getLine(y);
        return [line?.isWrapped, Array.from({ length: terminal.cols }, (__, x) => cellOf(line?.getCell(x)))];
      }),
    })),
    shown: terminal.buffer.active.type,
    modes: terminal.modes,
    seen,
    lineFeeds: feed.lineFeeds,
    bytes: [feed.parsedBytes, feed.writtenBytes, feed.backlogBytes],
  };
}

function cellOf(cell: IBufferCell | undefined): unknown {
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

const CSI = "\u001b[";
const word = fc.constantFrom(
  "a",
  "word",
  "two words",
  "é",
  "界",
  "e\u0301",
  "👍",
  "…",
  "exactly 11 c",
  "\u0301",
);
const code = fc.oneof(
  fc.constantFrom(
    "",
    "0",
    "1",
    "2",
    "22",
    "4",
    "24",
    "21",
    "7",
    "27",
    "31",
    "39",
    "44",
    "49",
    "95",
    "103",
    "53",
    "59",
  ),
  fc.constantFrom(
    "38;5;9",
    "48;5;200",
    "38;2;1;2;3",
    "48;2;250;0;9",
    "58;5;3",
    "38;5",
    "48;2;300;1;1",
    "4:3",
    "10",
    "200",
  ),
);
const pen = fc.array(code, { minLength: 1, maxLength: 3 }).map((codes) => `${CSI}${codes.join(";")}m`);
const line = fc.tuple(pen, word, fc.constantFrom("", `${CSI}K`, "\t", `${CSI}2C`, `${CSI}?25l`), word);
const lines = fc.tuple(
  fc.integer({ min: 1, max: 30 }),
  line,
  fc.constantFrom("\r\n", "\r\n", "\r\n", "\n", "\r"),
);
const log = lines.map(([count, words, end]) => (words.join("") + end).repeat(count));
const plainLog = fc
  .tuple(fc.integer({ min: 10, max: 40 }), word, fc.constantFrom("", `${CSI}K`, `${CSI}0K`))
  .map(([count, text, end]) => Array.from({ length: count }, (_, n) => `${n} ${text}${end}\r\n`).join(""));
const frame = fc
  .tuple(
    pen,
    word,
    fc.constantFrom("K", "2K", "1K", "P"),
    fc.integer({ min: 1, max: 6 }),
    fc.constantFrom(0, 0, 0, 3),
  )
  .map(
    ([style, text, erase, count, column]) =>
      `${CSI}?2026h${CSI}H` +
      Array.from(
        { length: count },
        (_, row) => `${CSI}${row + 1};${column}H${style}${row}${text}${CSI}${erase}${CSI}m`,
      ).join("") +
      `${CSI}?2026l`,
  );
const topFrame = fc
  .tuple(pen, word)
  .map(([style, text]) => `${CSI}H${style}${text}${CSI}K\r\n${text}${CSI}K\n\r${text}${CSI}K\r\n${CSI}J`);
const frames = fc
  .tuple(
    fc.oneof(
      frame,
      topFrame,
      word.map((text) => `${CSI}2J${text}${CSI}3;3H${text}`),
    ),
    fc.integer({ min: 1, max: 12 }),
  )
  .map(([text, count]) => text.repeat(count));
const moves = fc
  .tuple(
    fc.integer({ min: 0, max: 6 }),
    fc.integer({ min: 0, max: 13 }),
    fc.constantFrom(..."@ABCDEFGHIJKLMPSTXZ`abdefm"),
  )
  .map(([a, b, final]) => `${CSI}${a};${b}${final}`);
const switches = fc.constantFrom(
  ...[
    "?1049h",
    "?1049l",
    "?47h",
    "?47l",
    "2;3r",
    "r",
    "1;4r",
    "?6h",
    "?6l",
    "4h",
    "4l",
    "?7l",
    "?7h",
    "?25h",
    "20h",
    "20l",
  ].map((rest) => CSI + rest),
  ...["?2026h", "?25l", "?25;2026h", "s", "u", "!p", "6n", "c", "?J", " q", "3J", "g", "?45h"].map(
    (rest) => CSI + rest,
  ),
  ...[
    "\u001b7",
    "\u001b8",
    "\u001bc",
    "\u001b(0",
    "\u001b(B",
    "\u001bM",
    "\u001bD",
    "\u001bE",
    "\u001bH",
    "\u000e",
    "\u000f",
  ],
  ...[
    "\u001b]0;title\u0007",
    "\u001b]2;ein Tïtel\u001b\\",
    "\u001b]8;;http://x\u001b\\",
    "\u001b]8;;\u001b\\",
    "\u001bPq#1\u001b\\",
  ],
  ...[
    "\u009b2J",
    "\u0085",
    "\u0007",
    "\b",
    "\u000b",
    "\u007f",
    "\u0000",
    "\u001b[3\r\n1m",
    "\u001b\u001b[1m",
    "\u001b]0;open",
    "\u0018",
  ],
);
const flood = fc.oneof(log, plainLog, frames);
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
