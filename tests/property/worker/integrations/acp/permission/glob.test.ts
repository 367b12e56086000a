/** A pattern of an allow list matches exactly what its signs mean, and does not backtrack over a text that is made to be slow. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileGlob } from "../../../../../../src/worker/integrations/acp/permission/glob.js";

/** What the signs mean, said as plainly as possible, and slowly. */
function fits([piece, ...rest]: readonly string[], text: readonly string[], within: RegExp): boolean {
  const [character, ...others] = text;
  if (piece === undefined) return character === undefined;
  if (piece === "*" || piece === "**") {
    const takes = character !== undefined && (piece === "**" ? /[^\n]/ : within).test(character);
    return fits(rest, text, within) || (takes && fits([piece, ...rest], others, within));
  }
  if (character === undefined) return false;
  return (piece === "?" ? within.test(character) : piece === character) && fits(rest, others, within);
}

const CHARACTERS = ["a", "b", "/", ".", "\n", "😀", "("];
const pieces = fc.array(fc.constantFrom(...CHARACTERS, "*", "**", "?"), { maxLength: 6 });
const text = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 8 });

describe("a pattern of an allow list", () => {
  it.each(["path", "text"] as const)("of a %s matches exactly what its signs mean", (of) => {
    const within = of === "path" ? /[^/\n]/u : /[^\n]/u;
    fc.assert(
      fc.property(pieces, text, (parts, characters) => {
        const glob = parts.join("");
        const whole = glob.match(/\*\*|./gsu) ?? [];
        expect(compileGlob(glob, of)(characters.join(""))).toBe(fits(whole, characters, within));
      }),
    );
  });

  it("does not backtrack over a text that is made to be slow", () => {
    const stars = compileGlob(`${"*a".repeat(250)}b`, "text");
    // A regular expression of a tenth of these stars takes longer than the world will last.
    expect(stars("a".repeat(1000))).toBe(false);
  });
});
