/** A malformed adapter file is refused with a clear error, and a pattern that is accepted reads any text to its end. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AtlasBridgeError } from "../../../../src/model/errors.js";
import { compileAdapter } from "../../../../src/worker/adapter-format/compiled/compile-rules.js";
import { matches, findPatternProblem, TEXT_READ_MAX } from "../../../../src/worker/adapter-format/pattern.js";

const generic = readFileSync("adapters/generic.yaml", "utf8");

/** A file is taken or refused with a clear error; nothing else can happen. */
function isTakenOrRefused(text: string): boolean {
  try {
    compileAdapter(text, "some.yaml");
    return true;
  } catch (error) {
    return (
      error instanceof AtlasBridgeError &&
      error.code === "ATB_ADAPTER_INVALID" &&
      error.message.startsWith("some.yaml")
    );
  }
}

describe("a malformed adapter file", () => {
  it("is refused with a clear error wherever it is damaged", () => {
    const damage = fc.record({
      at: fc.nat(generic.length),
      length: fc.nat(40),
      put: fc.oneof(
        fc.string(),
        fc.constantFrom("\n", "  ", ": ", "- ", "{", "]", "&a", "*a", "!!js", "null", "1e99"),
      ),
    });
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (damages) => {
        let text = generic;
        for (const { at, length, put } of damages) text = text.slice(0, at) + put + text.slice(at + length);
        expect(isTakenOrRefused(text)).toBe(true);
      }),
      { numRuns: 250 },
    );
  });

  it("is refused with a clear error whatever it holds", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: "binary" })), (text) => {
        expect(isTakenOrRefused(text)).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });
});

describe("a pattern that is accepted", () => {
  const atom = fc.constantFrom("a", "b", ".", "[ab]", "\\w", "[^b]", "(?:a|b)", "(ab)", "^", "$", "|", " ");
  const quantifier = fc.constantFrom("", "", "", "*", "+", "?", "{0,8}", "{1,80}", "{3}", "{2,}");
  const flat = fc
    .array(fc.tuple(atom, quantifier), { minLength: 1, maxLength: 6 })
    .map((parts) => parts.flat().join(""));
  const pattern = fc.oneof(
    flat,
    fc.tuple(flat, quantifier, flat).map(([inner, repeat, rest]) => `(?:${inner})${repeat}${rest}`),
    fc.string({ maxLength: 30 }),
  );
  const HOSTILE = ["a", "b", "ab", " ", "aab"].map(
    (unit) => `${unit.repeat(TEXT_READ_MAX).slice(0, TEXT_READ_MAX - 1)}!`,
  );

  it("reads any text to its end", () => {
    fc.assert(
      fc.property(pattern, fc.boolean(), (body, anchored) => {
        const source = `${anchored ? "^" : ""}${body}!!$`;
        fc.pre(findPatternProblem(source) === null);
        for (const text of HOSTILE) matches(source, text);
      }),
      {
        numRuns: 400,
        // Found by chance: something optional counted as no repetition, and ^ for all alternatives.
        examples: [
          ["(?:.a?){1,80}a", false],
          ["(?:(ab))|a{1,80}a+a?a", true],
        ],
      },
    );
  });
});
