import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clip } from "../../../src/sdk/text.js";
import { escapeHtml, plain, toHtml, toPlain } from "../../../channels/telegram/markup.js";
import { parseHtml } from "../../support/telegram/html.js";

/** What a parser trips over, rather than all of Unicode. */
const hostile = fc.string({ unit: fc.constantFrom(..."<>&;#/\"'= \nabltgxp1é😀"), maxLength: 60 });

describe("escaping", () => {
  it("gives back every text after parsing", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(parseHtml(escapeHtml(text))).toEqual({ text, entities: [] });
      }),
    );
  });

  it("leaves no text a chance to end its own block", () => {
    const spans = [{ text: "</pre><b>done</b>", as: "pre" as const }];
    const { text, entities } = parseHtml(toHtml(spans));
    expect(text).toBe("</pre><b>done</b>");
    expect(entities).toEqual([{ type: "pre", offset: 0, length: text.length }]);
  });

  it("replaces half characters, which the service would refuse", () => {
    expect(toHtml([plain("a\ud83d")])).toBe("a\ufffd");
    expect(toPlain([plain("\udc00b")])).toBe("\ufffdb");
  });

  it("makes no empty tags", () => {
    expect(toHtml([{ text: "", as: "bold" }])).toBe("");
  });
});

describe("clip", () => {
  it("leaves a text that fits as it is", () => {
    expect(clip("abc", 3)).toBe("abc");
  });

  it("marks what is missing", () => {
    expect(clip("abcdef", 4)).toBe("abc…");
  });

  it("does not cut a family in two", () => {
    expect(clip(`ab👨‍👩‍👧`, 6)).toBe("ab…");
  });

  it("never exceeds the limit and never leaves half a character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 300 }),
        fc.integer({ min: 1, max: 200 }),
        (text, max) => {
          const clipped = clip(text, max);
          expect(clipped.length).toBeLessThanOrEqual(max);
          expect(clipped).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
          expect(text.startsWith(clipped.replace(/…$/, ""))).toBe(true);
        },
      ),
    );
  });
});
