/**
 * The kept output of a command is its end as plain text, in whole characters and at most the wanted bytes, and can be read while
 * the command runs.
 */
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KeptOutput } from "../../../../../../src/worker/integrations/acp/services/kept-output.js";

const piece = fc.oneof(
  fc
    .string({ unit: "grapheme", maxLength: 20 })
    .map((text) => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "-")),
  fc.constantFrom(
    "\u001b[31m",
    "\u001b[0m",
    "\u001b]0;title\u0007",
    "\u001b]0;t\u001b\\",
    "\u001b(B",
    "\r\n",
    "\n",
    "é",
    "💡",
    "日本",
  ),
);

/** The same bytes in pieces of these sizes. */
function kept(text: string, sizes: readonly number[], bytesMax: number): KeptOutput {
  const output = pushed(text, sizes, bytesMax);
  output.end();
  return output;
}

function pushed(text: string, sizes: readonly number[], bytesMax: number): KeptOutput {
  const output = new KeptOutput(bytesMax);
  const bytes = Buffer.from(text);
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    output.push(bytes.subarray(at, at + size));
    if (turn % 3 === 0) output.read();
    at += size;
  }
  return output;
}

describe("the output that is kept of a command", () => {
  it("can be read while the command runs, but for what is not whole yet", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), sizes, (pieces, cuts) => {
        const text = pieces.join("");
        const plain = stripVTControlCharacters(text).replaceAll("\r\n", "\n");
        expect(pushed(text, cuts, 10_000).read()).toBe(plain);
      }),
      { numRuns: 500 },
    );
    const ready = "\u001b[32mready\u001b[0m\r\nhttp://localhost:3000\r\n";
    expect(pushed(ready, [100], 1000).read()).toBe("ready\nhttp://localhost:3000\n");
  });

  it("is its end as plain text, whole characters, and never more bytes than wanted, however it came in", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), sizes, fc.nat(60), (pieces, cuts, bytesMax) => {
        const text = pieces.join("");
        const plain = stripVTControlCharacters(text).replaceAll("\r\n", "\n");
        const output = kept(text, cuts, bytesMax);
        const shown = output.read();
        expect(plain.endsWith(shown)).toBe(true);
        expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(bytesMax);
        const isCut = Buffer.byteLength(plain) > bytesMax;
        expect(output.truncated).toBe(isCut);
        // Of a cut at most the rest of one character is lost.
        expect(Buffer.byteLength(shown)).toBeGreaterThan(isCut ? bytesMax - 4 : Buffer.byteLength(plain) - 1);
      }),
      { numRuns: 500 },
    );
  });
});
