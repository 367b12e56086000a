/** makeVisible shows every control, hiding and reordering character, and makeExcerpt cuts a text to 200 bytes without breaking a character. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeVisible } from "../../../src/safety/display.js";
import { makeExcerpt } from "../../../src/safety/excerpt.js";

describe("visible", () => {
  it.each([
    ["a\u202eb", "a‹U+202E›b"],
    ["rm\u200b -rf", "rm‹U+200B› -rf"],
    ["x\u0007y\u001b[31m", "x‹U+0007›y‹U+001B›[31m"],
    ["a\u2028b", "a‹U+2028›b"],
    ["p\u0430ypal", "p\u0430‹U+0430›ypal"],
    ["a\u200db", "a‹U+200D›b"],
    ["\ud800x", "\ufffdx"],
    ["tag\u{e0041}", "tag‹U+E0041›"],
    [
      "curl \u0430\u0440\u0440\u04cf\u0435.com",
      "curl \u0430‹U+0430›\u0440‹U+0440›\u0440‹U+0440›\u04cf‹U+04CF›\u0435‹U+0435›.com",
    ],
    ["\u03bf\u03bd\u03b1", "\u03bf‹U+03BF›\u03bd‹U+03BD›\u03b1‹U+03B1›"],
    ["rm -rf /srv\u00a0/old", "rm -rf /srv‹U+00A0›/old"],
    ["rm\u2800-rf", "rm‹U+2800›-rf"],
    ["a\u2003b\u202fc", "a‹U+2003›b‹U+202F›c"],
    ["ls\u3000x", "ls‹U+3000›x"],
    ["a\ufe0fb", "a‹U+FE0F›b"],
    ["example\u2024com\u2215x", "example‹U+2024›com‹U+2215›x"],
    ["\u{1d429}ay", "‹U+1D429›ay"],
  ])("shows %j as it is", (text, shown) => {
    expect(makeVisible(text)).toBe(shown);
  });

  it.each(["rm-\u0430", "x.\u0430\u0440 \u0430\u0440.com", "/srv/\u0440\u0430", "p\u0430 \u0430p"])(
    "marks %j once, also where it was marked before",
    (text) => {
      expect(makeVisible(text)).toContain("›");
      expect(makeVisible(makeVisible(text))).toBe(makeVisible(text));
    },
  );

  it.each([
    "line\n\ttab",
    "ünïcode 日本語",
    "привет мир",
    "сахар и соль",
    "❯\u00a0Try it",
    "日本\u3000語",
    "⣿⠀⣿",
    "1\ufe0f\u20e3 ⚠\ufe0f",
    "👩‍💻 👨‍👩‍👧",
    "Ελληνικά",
    "a\r\nb".replace("\r", ""),
  ])("leaves %j alone", (text) => {
    expect(makeVisible(text)).toBe(text);
  });

  it("never lets a reordering, hiding or control character through", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(makeVisible(text)).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufeff]/,
        );
      }),
    );
  });
});

describe("makeExcerpt", () => {
  it("keeps what fits", () => {
    expect(makeExcerpt("short")).toBe("short");
  });

  it("never exceeds 200 bytes and never breaks a grapheme", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "é", "日", "👩‍💻", "e\u0301"), { maxLength: 300 }), (parts) => {
        const text = parts.join("");
        const cut = makeExcerpt(text);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(200);
        if (cut !== text) {
          expect(cut.endsWith("…")).toBe(true);
          const segments = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
          const kept = [...new Intl.Segmenter().segment(cut.slice(0, -1))].map(({ segment }) => segment);
          expect(segments.slice(0, kept.length)).toEqual(kept);
        }
      }),
    );
  });
});
