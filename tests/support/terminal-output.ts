/** What programs write to terminals, and what hardly any does: arbitraries for whatever must hold for all output. */
import fc from "fast-check";

export const CSI = "\u001b[";
export const word = fc.constantFrom(
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
export const pen = fc.array(code, { minLength: 1, maxLength: 3 }).map((codes) => `${CSI}${codes.join(";")}m`);
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
export const moves = fc
  .tuple(
    fc.integer({ min: 0, max: 6 }),
    fc.integer({ min: 0, max: 13 }),
    fc.constantFrom(..."@ABCDEFGHIJKLMPSTXZ`abdefm"),
  )
  .map(([a, b, final]) => `${CSI}${a};${b}${final}`);
export const switches = fc.constantFrom(
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
export const flood = fc.oneof(log, plainLog, frames);
