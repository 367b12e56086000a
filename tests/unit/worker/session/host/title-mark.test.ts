/**
 * The mark in the terminal's title appears while its reason lasts and the tool is silent, and never breaks a sequence or the
 * tool's own title.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../../src/observe/clock.js";
import { SILENT_MS, TitleMark, ToolOutput } from "../../../../../src/worker/session/host/title-mark.js";

const MARK = "\u001b[22;2t\u001b]2;⚠ not relayed\u0007";
const POP = "\u001b[23;2t";

function marked() {
  const clock = new ManualClock();
  const written: string[] = [];
  const write = (text: string): void => void written.push(text);
  const mark = new TitleMark({ write, writeLast: write, clock });
  const passes = (text: string): void => mark.onOutput(Buffer.from(text));
  return { clock, mark, passes, written };
}

describe("the mark in the title", () => {
  it("comes with the tool's silence, and goes with its reason", () => {
    const { clock, mark, passes, written } = marked();
    passes("$ ");
    mark.show("⚠ not relayed");
    expect(written).toEqual([]);
    clock.advance(SILENT_MS + 1);
    expect(written).toEqual([MARK]);
    mark.show(null);
    expect(written).toEqual([MARK, POP]);
  });

  it("shows the number that a yes needs, beside a reason and without one", () => {
    const { clock, mark, written } = marked();
    mark.show("⚠ not relayed");
    mark.note("🔢 k7: 47");
    clock.advance(SILENT_MS + 1);
    mark.show(null);
    clock.advance(SILENT_MS + 1);
    mark.note(null);
    clock.advance(SILENT_MS + 1);
    expect(written.join("")).toContain("\u001b]2;🔢 k7: 47 · ⚠ not relayed\u0007\u001b]2;🔢 k7: 47\u0007");
    expect(written.at(-1)).toBe(POP);
  });

  it("waits for as long as the tool writes, and while a sequence or a character is not whole", () => {
    const { clock, mark, passes, written } = marked();
    mark.onOutput(Buffer.from("a"));
    mark.show("⚠ not relayed");
    for (const piece of ["\u001b[3", "\u001b]0;half a title", "\u001bPdata"]) {
      passes(piece);
      clock.advance(10 * SILENT_MS);
      expect(written).toEqual([]);
    }
    passes("\u001b\\");
    mark.onOutput(Buffer.from([0xe2, 0x9a]));
    clock.advance(10 * SILENT_MS);
    expect(written).toEqual([]);
    mark.onOutput(Buffer.from([0xa0]));
    clock.advance(SILENT_MS + 1);
    expect(written).toEqual([MARK]);
  });

  it("is replaced by the title that the tool set, also while the mark was there", () => {
    const { clock, mark, passes, written } = marked();
    for (const piece of ["\u001b]0;vi", "m — a.ts\u001b", "\\"]) passes(piece);
    mark.show("⚠ not relayed");
    clock.advance(SILENT_MS + 1);
    mark.show(null);
    expect(written.at(-1)).toBe(`${POP}\u001b]2;vim — a.ts\u0007`);
    mark.show("⚠ not relayed");
    passes("\u001b]2;b.ts\u001b\\");
    clock.advance(SILENT_MS + 1);
    mark.close();
    expect(written.at(-1)).toBe(`${POP}\u001b]2;b.ts\u0007`);
    const count = written.length;
    mark.close();
    expect(written).toHaveLength(count);
  });

  it("shows no control character of the reason, and is never long", () => {
    const { clock, mark, written } = marked();
    mark.show(`\u001b]0;evil\u0007${"x".repeat(1_000)}\n`);
    clock.advance(SILENT_MS + 1);
    expect(written).toHaveLength(1);
    expect(written[0]?.slice(0, -1)).toMatch(/^\u001b\[22;2t\u001b\]2;[^\u0000-\u001f\u007f]{1,120}$/u);
  });
});

describe("the end of a sequence", () => {
  const isClear = (...chunks: readonly Uint8Array[]): boolean => {
    const output = new ToolOutput();
    for (const chunk of chunks) output.push(chunk);
    return output.isComplete;
  };

  it.each([
    ["plain text", "text", true],
    ["an escape alone", "a\u001b", false],
    ["a whole CSI", "\u001b[1;31m", true],
    ["half a CSI", "\u001b[1;3", false],
    ["a charset", "\u001b(B", true],
    ["half a charset", "\u001b(", false],
    ["an OSC with BEL", "\u001b]0;x\u0007", true],
    ["an OSC with ST", "\u001b]0;x\u001b\\", true],
    ["an OSC without end", "\u001b]0;x", false],
    ["a DCS with a BEL in it", "\u001bPx\u0007", false],
    ["a DCS", "\u001bPx\u001b\\", true],
    ["a cancelled DCS", "\u001bPx\u0018", true],
    ["keypad mode", "\u001b=", true],
  ])("of %s is seen", (_, text, clear) => {
    expect(isClear(Buffer.from(text))).toBe(clear);
  });

  it("is the same however the bytes are split", () => {
    const part = fc.constantFrom(
      "a",
      "⚠",
      "\u001b[",
      "1;2",
      "m",
      "\u001b]0;",
      "\u0007",
      "\u001b\\",
      "\u001bP",
      "\u0018",
      "é",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat(30)), (parts, cuts) => {
        const whole = Buffer.from(parts.join(""));
        const places = [
          0,
          ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b),
          whole.length,
        ];
        const chunks = places.slice(1).map((to, at) => whole.subarray(places[at], to));
        expect(isClear(...chunks)).toBe(isClear(whole));
      }),
      { numRuns: 2_000 },
    );
  });
});
