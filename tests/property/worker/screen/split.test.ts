/** The same bytes give the same view of the screen wherever they are split. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Screen } from "../../../../src/worker/screen/screen.js";
import type { View } from "../../../../src/sdk/view.js";

/** What tools print: text of all widths, cursor movement, erasing, colours, modes, titles, halves of sequences. */
const piece = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom("—", "❯ 1. Yes", "漢字", "👩‍👧", "e\u0301", "\u00a0", "─".repeat(20)),
  fc.constantFrom("\r\n", "\n", "\r", "\b", "\t", "\u0007"),
  fc.constantFrom(
    "\u001b[2J\u001b[H",
    "\u001b[K",
    "\u001b[3J",
    "\u001b[?1049h",
    "\u001b[?1049l",
    "\u001b[?25l",
  ),
  fc.constantFrom("\u001b[?2026h", "\u001b[?2026l", "\u001b[?1h", "\u001bc", "\u001b[!p", "\u001b[4;7r"),
  fc.constantFrom("\u001b]0;a title—\u0007", "\u001b]7501;?\u001b\\", "\u001b[", "\u001b", "\u001b]0;open"),
  fc.tuple(fc.nat(30), fc.nat(12)).map(([x, y]) => `\u001b[${y};${x}H`),
  fc.nat(255).map((colour) => `\u001b[38;5;${colour}m`),
);
const output = fc.oneof(
  fc.array(piece, { maxLength: 60 }).map((pieces) => Buffer.from(pieces.join(""))),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

async function drawn(reads: readonly Uint8Array[]): Promise<View> {
  const screen = new Screen({ cols: 30, rows: 10 });
  for (const read of reads) screen.write(read);
  await screen.flushed();
  const view = screen.view();
  screen.dispose();
  return view;
}

function plain(view: View): unknown {
  const lines = view.lines.map((line) => ({ text: line.text, wrapped: line.wrapped, runs: line.runs() }));
  return { ...view, lines, frame: 0 };
}

function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((place, index) => bytes.subarray(place, places[index] ?? bytes.length));
}

describe("the same bytes", () => {
  it("give the same view wherever they are split", async () => {
    await fc.assert(
      fc.asyncProperty(output, fc.array(fc.nat(), { maxLength: 20 }), async (bytes, cuts) => {
        expect(plain(await drawn(cutAt(bytes, cuts)))).toEqual(plain(await drawn([bytes])));
      }),
      { numRuns: 300 },
    );
  });

  it("give the same view one by one", async () => {
    await fc.assert(
      fc.asyncProperty(output, async (bytes) => {
        const single = [...bytes].map((byte) => Uint8Array.of(byte));
        expect(plain(await drawn(single))).toEqual(plain(await drawn([bytes])));
      }),
      { numRuns: 100 },
    );
  });
});
