/** Text in Telegram's HTML keeps every character, links nothing by itself, and is cut at whole characters. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clip } from "../../../../../src/sdk/text.js";
import { escapeHtml, toPlainSpan, toHtml, toPlain } from "../../../../../channels/telegram/cards/markup.js";
import { parseHtml } from "../../../../support/telegram/html.js";
import { LINKS } from "../../../../support/telegram/links.js";
import { formatText } from "../../../../support/telegram/text.js";

/** What a parser trips over, rather than all of Unicode. */
const hostile = fc.string({ unit: fc.constantFrom(..."<>&;#/\"'= \nabltgxp1é😀"), maxLength: 60 });

describe("escaping text for Telegram's HTML", () => {
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
    expect(toHtml([toPlainSpan("a\ud83d")])).toBe("a\ufffd");
    expect(toPlain([toPlainSpan("\udc00b")])).toBe("\ufffdb");
  });

  it("makes no empty tags", () => {
    expect(toHtml([{ text: "", as: "bold" }])).toBe("");
  });
});

describe("text that the service would link by itself", () => {
  const words = fc.constantFrom(
    ..."@eve a@b.example https://x tg:join x.sh /stop ~/src #now #12 $BTC +49123456789 · , ( ) . \n".split(
      " ",
    ),
    "\n",
    "Yes/No",
    " ",
  );

  it("is marked as code, and the text stays as it is", () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 200 }), fc.boolean(), (parts, isBold) => {
        const text = `a${parts.join("")}b`;
        const { text: kept, entities } = formatText(
          toHtml([{ text, as: isBold ? "bold" : "plain" }]),
          "HTML",
        );
        expect(kept).toBe(text);
        expect(entities.filter(({ type }) => LINKS.includes(type))).toEqual([]);
        expect(entities.length).toBeLessThanOrEqual(100);
      }),
    );
  });

  it("does not include words, numbers and answers", () => {
    for (const text of ["Run it? Yes/No, e.g. 3 of 12 (v1.2.3), until 14:32 UTC", "1,3 or none · k7"])
      expect(toHtml([toPlainSpan(text)])).toBe(text);
    expect(toHtml([toPlainSpan("Edit src/app.ts and ~/x?")])).toBe(
      "Edit <code>src/app.ts</code> and <code>~/x</code>?",
    );
    expect(toHtml([toPlainSpan("Create file9.txt? (see “src/app.ts”, or @ann!)")])).toBe(
      "Create <code>file9.txt</code>? (see “<code>src/app.ts</code>”, or <code>@ann</code>!)",
    );
  });

  it("is the whole text where it has more such places than a message may have parts", () => {
    const text = "/stop ".repeat(80).trim();
    expect(toHtml([toPlainSpan(text)])).toBe(`<code>${text}</code>`);
  });
});

describe("clip: the cut of a long text", () => {
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
