/** The text that a pattern requires: it never hides a match of the automaton. */
import fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, it } from "vitest";
import { compilePattern } from "../../../../src/hub/policy/pattern.js";
import { findRequiredLiteral } from "../../../../src/hub/policy/required-literal.js";

it.each([
  ["(?i)secret-12[a-z]*\\.(pem|key)", "secret-12"],
  ["rm -rf /srv/prod", "rm -rf /srv/prod"],
  ["abcd?efg", "abc"],
  ["abc{0,2}def", "def"],
  ["(abcd)?efg", "efg"],
  ["[^]abc]xyz", "xyz"],
  ["\\.env$", ".env"],
  ["foo+bar", "foo"],
  ["id_(rsa|dsa)", "id_"],
])("of %s is %s", (source, text) => {
  expect(findRequiredLiteral(source)?.text).toBe(text);
});

it.each([
  "deploy|delete",
  "(deploy)?",
  "a.b",
  "(?i:secret)",
  "ab(?i)secret",
  "\\Qa|b\\E",
  "\\x41\\x42\\x43",
  "[abcdef]",
  "x{2}",
])("of %s there is none", (source) => {
  expect(findRequiredLiteral(source)).toBeNull();
});

it.each(["ſecret", "SECRET", "Secret-KEY"])("ignores case as RE2 does: %s", (text) => {
  for (const source of ["(?i)secret", "(?i)secret[-a-z]*"])
    expect(compilePattern(source)(text)).toBe(RE2JS.compile(source).test(text));
});

const piece = fc.constantFrom(
  ..."abcks|?*+.^$".split(""),
  ..."sec kit {2} {0,1} {1,} {x} (ab) (a|b) (?:sec) [a-c] [^a] []a] [[:alpha:]] \\d \\. \\\\ \\( \\pL \\x61 \\x{73} \\b \\Qa.b\\E (?i) (?-i) (?i:s) ſ K é".split(
    " ",
  ),
);
const text = fc.array(fc.constantFrom(..."abcksSKſKé. \\(){}x|12".split(""), "sec", "kit", "SEC", "ſec"), {
  maxLength: 14,
});

it("never hides what the automaton finds", () => {
  let found = 0;
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.array(piece, { minLength: 1, maxLength: 9 }),
      fc.array(text, { minLength: 1, maxLength: 12 }),
      (ignoresCase, pieces, texts) => {
        const source = `${ignoresCase ? "(?i)" : ""}${pieces.join("")}`;
        let automaton: RE2JS;
        try {
          automaton = RE2JS.compile(source);
        } catch {
          return;
        }
        const pattern = compilePattern(source);
        // Its own words without the signs are likely to match.
        for (const each of [
          ...texts.map((parts) => parts.join("")),
          source,
          source.replace(/[^\w ſKé]/g, ""),
        ]) {
          const matches = automaton.test(each);
          if (matches && findRequiredLiteral(source) !== null) found += 1;
          expect([source, each, pattern(each)]).toEqual([source, each, matches]);
        }
      },
    ),
    { numRuns: 2_500 },
  );
  expect(found).toBeGreaterThan(20);
});
