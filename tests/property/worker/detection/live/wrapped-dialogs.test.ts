/**
 * A card stays open when the window gets another size, and its answer is typed into the dialog that is drawn then. A dialog that differs by a
 * row end or a blank is another prompt, and the same one, wrapped anew, is still the same.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../../../src/sdk/candidate.js";
import type { View } from "../../../../../src/sdk/view.js";
import { detect } from "../../../../../src/worker/detection/detect.js";
import { isStillRaised } from "../../../../../src/worker/detection/live/same-prompt.js";
import { drawView, shippedAdapter } from "../../../../unit/worker/detection/screens.js";

const claude = shippedAdapter("claude");
/** Columns that claude leaves free where it wraps a command, those to its left included. */
const MARGIN = 4;
const ROWS = 200;
const numRuns = process.env["ATB_FULL_SIZE"] === "1" ? 10_000 : 100;

/** Row by row: a word that does not fit goes to the next row, and one that is longer than a row is cut. */
function wrapLine(line: string, width: number): string[] {
  const rows: string[] = [];
  let row = "";
  for (const piece of line.trimEnd().match(/\s+|\S+/gu) ?? [""]) {
    let rest = piece;
    if (row.length + rest.length > width && row.trim() !== "") {
      rows.push(row.trimEnd());
      [row, rest] = ["", rest.trimStart()];
    }
    while (row.length + rest.length > width) {
      rows.push(row + rest.slice(0, width - row.length));
      [row, rest] = ["", rest.slice(width - row.length)];
    }
    row += rest;
  }
  return [...rows, row.trimEnd()];
}

function drawCommand(command: string, cols: number): string[] {
  const rows = command.split("\n").flatMap((line) => wrapLine(line, cols - MARGIN));
  return rows.map((row) => ` ${row}`.trimEnd());
}

function viewOf(rows: readonly string[], cols: number): Promise<View> {
  const drawn = [
    "─".repeat(cols),
    " Bash command",
    " Do it",
    "╌".repeat(cols),
    ...rows,
    "╌".repeat(cols),
    " Do you want to proceed?",
    " ❯ 1. Yes",
    "   2. No",
    "",
    " Esc to cancel",
  ];
  const cursor = [1, drawn.length - 4] as const;
  return drawView(drawn, { cols, rows: ROWS, cursor, cursorHidden: true });
}

async function read(rows: readonly string[], cols: number): Promise<Candidate> {
  const { candidate } = detect(claude, await viewOf(rows, cols), {});
  if (candidate?.rule !== "permission") throw new Error(`not read at ${cols}:\n${rows.join("\n")}`);
  return candidate;
}

const WORDS = [
  "rm",
  "-rf",
  "/srv/app",
  "/srv/app/old",
  "echo",
  "sudo",
  "reboot",
  "now",
  "git",
  "log",
  "--grep",
];
/** Is cut at all sizes. */
const LONG_WORD = `https://docs.example.invalid/${"a/long/path/".repeat(12)}page`;

function commandOf(words: readonly string[]): fc.Arbitrary<string> {
  const line = fc
    .tuple(
      fc.constantFrom("", "  ", "    "),
      fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 }),
    )
    .map(([indent, all]) => indent + all.join(" "));
  return fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n").trimStart());
}

const cols = fc.integer({ min: 40, max: 160 });

/** A row end or a blank is put in, taken out, or takes the other's place. */
const edit = fc.constantFrom("\n", " ", "");

interface Pair {
  readonly asked: string;
  readonly other: string;
  readonly sizes: readonly [number, number];
}

const pair: fc.Arbitrary<Pair> = fc
  .record({ asked: commandOf([...WORDS, LONG_WORD]), at: fc.nat(), put: edit, sizes: fc.tuple(cols, cols) })
  .map(({ asked, at, put, sizes }) => {
    const place = at % asked.length;
    const isGap = /\s/u.test(asked[place] ?? "");
    return { asked, other: asked.slice(0, place) + put + asked.slice(place + Number(isGap)), sizes };
  })
  .filter(({ sizes: [a, b] }) => a !== b)
  // At one of the two sizes they look the same.
  .filter(({ asked, other, sizes }) =>
    sizes.every((size) => drawCommand(asked, size).join("\n") !== drawCommand(other, size).join("\n")),
  );

/** Whether the card that was made of `asked` stays open when the screen shows `other`. */
async function staysOpen({ asked, other, sizes: [before, after] }: Pair): Promise<boolean> {
  const raised = await read(drawCommand(asked, before), before);
  const now = await read(drawCommand(other, after), after);
  return isStillRaised({ raised, candidate: raised }, now, { resizedAt: 0 });
}

describe("a permission in a window of another size", () => {
  it("is another prompt if a row end or a blank of it differs", async () => {
    await fc.assert(
      fc.asyncProperty(pair, async (each) => {
        expect(await staysOpen(each)).toBe(false);
      }),
      { numRuns },
    );
  });

  it("is the same if only its wrapping differs", async () => {
    await fc.assert(
      fc.asyncProperty(commandOf(WORDS), fc.tuple(cols, cols), async (asked, sizes) => {
        expect(await staysOpen({ asked, other: asked, sizes })).toBe(true);
      }),
      { numRuns },
    );
  });
});
