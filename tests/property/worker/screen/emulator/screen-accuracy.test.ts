/** A screen that is marked as followed shows the same as an emulator without bounds, whatever was skipped before. */
import xterm from "@xterm/headless";
import type { Terminal } from "@xterm/headless";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Feed } from "../../../../../src/worker/screen/emulator/feed.js";
import { useModernWidths } from "../../../../../src/worker/screen/widths.js";
import { CSI, moves, pen, word } from "../../../../support/terminal-output.js";

const COLS = 11;
const ROWS = 4;
const KEPT_LINES = 6;
/** A clock that goes back by this takes all of the budget away; the same forth gives it back. */
const BUDGET_MS = 1000;

function emulator(): Terminal {
  return new xterm.Terminal({
    cols: COLS,
    rows: ROWS,
    scrollback: KEPT_LINES,
    allowProposedApi: true,
    logLevel: "off",
  });
}

function picture({ buffer: { active }, rows, cols }: Terminal): unknown {
  const cells = Array.from({ length: rows }, (_, y) => {
    const line = active.getLine(active.baseY + y);
    return Array.from({ length: cols }, (__, x) => {
      const cell = line?.getCell(x);
      return [
        cell?.getChars(),
        cell?.getWidth(),
        cell?.getFgColor(),
        cell?.getBgColor(),
        cell?.isBold(),
      ].join();
    });
  });
  return { type: active.type, cursor: [active.cursorX, active.cursorY], cells };
}

/** False where the emulator without bounds breaks: it looks for a row below the last one when all up to the last cell is erased. */
function hasTaken(reference: Terminal, output: string): boolean {
  try {
    reference.input("");
    reference.write(output);
    return true;
  } catch {
    return false;
  }
}

/** The emulator without bounds could not bear more. */
const count = fc.constantFrom("", "0", "1", "3", "40", "4096");
const bounded = fc
  .tuple(
    count,
    fc.constantFrom("@", "L", "M", "P", "S", "T", "X", "I", "Z", " @", " A", "'}", "'~", "A", "B", "C"),
  )
  .map(([number, final]) => `${CSI}${number}${final}`);
const repeated = fc.integer({ min: 0, max: 60 }).map((number) => `${CSI}${number}b`);
const erasing = fc.constantFrom(
  `${CSI}2J${CSI}H`,
  `${CSI}H${CSI}J`,
  `${CSI}2J`,
  `${CSI}H`,
  `${CSI}J`,
  `${CSI}K`,
  "\u001bc",
  "\u001b#8",
);
const switching = fc.constantFrom(
  `${CSI}?1049h`,
  `${CSI}?1049l`,
  `${CSI}?47h`,
  `${CSI}?47l`,
  `${CSI}4h`,
  `${CSI}4l`,
  `${CSI}?6h`,
  `${CSI}?6l`,
  `${CSI}2;3r`,
  `${CSI}r`,
  "\u001b7",
  "\u001b8",
  "\u001bH",
  `${CSI}3g`,
  "\u001bM",
  "\u001bD",
);
const lines = fc.array(word, { minLength: 1, maxLength: 9 }).map((words) => words.join("\r\n"));
const spoken = fc.oneof(
  word,
  lines,
  moves,
  pen,
  bounded,
  repeated,
  erasing,
  switching,
  fc.constant("\t\r\n"),
);
const happening = fc.oneof(
  { weight: 6, arbitrary: spoken },
  { weight: 1, arbitrary: fc.constantFrom("starve" as const, "feed" as const) },
);

describe("a screen that is marked as followed", () => {
  it("shows what an emulator without bounds shows, whatever was skipped before", () => {
    const seen = { followed: 0, lost: 0, regained: 0 };
    fc.assert(
      fc.property(
        fc.array(happening, { minLength: 20, maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        (happenings, cut) => {
          let now = 0;
          let wasFollowed = true;
          const reference = emulator();
          useModernWidths(reference);
          const bound = emulator();
          const feed = new Feed(bound, KEPT_LINES, undefined, () => now);
          for (const each of happenings) {
            if (each === "starve") now -= BUDGET_MS;
            else if (each === "feed") now += BUDGET_MS;
            else {
              if (!hasTaken(reference, each)) return;
              const bytes = Buffer.from(each);
              for (let at = 0; at < bytes.length; at += cut) feed.push(bytes.subarray(at, at + cut));
              while (feed.parse());
              if (feed.isFollowed && !wasFollowed) seen.regained += 1;
              seen[feed.isFollowed ? "followed" : "lost"] += 1;
              wasFollowed = feed.isFollowed;
              if (feed.isFollowed) expect(picture(bound)).toEqual(picture(reference));
            }
          }
        },
      ),
      { numRuns: 500 },
    );
    // None of these is an exception.
    expect(Math.min(seen.followed, seen.lost, 10 * seen.regained)).toBeGreaterThan(200);
  });
});
