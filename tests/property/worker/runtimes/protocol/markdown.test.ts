/** The words of an agent keep every character and look the same in whatever pieces they arrive. They are shown as they come. */
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Markdown } from "../../../../../src/worker/runtimes/protocol/markdown.js";

const BOLD = "\u001b[1m";
const CODE = "\u001b[36m";
const DIM = "\u001b[2m";
const OFF = "\u001b[0m";

function shown(...pieces: readonly string[]): string {
  const markdown = new Markdown();
  return pieces.map((piece) => markdown.push(piece)).join("") + markdown.end();
}

/** Neighbouring styles of one kind are one. */
function joined(text: string): string {
  for (const style of [BOLD, DIM]) text = text.replaceAll(`${OFF}${style}`, "");
  return text;
}

const text = fc
  .array(fc.constantFrom("**", "*", "*****", "`", "```", "# ", "word", " ", "\n", "~~~", "é", "    "), {
    maxLength: 30,
  })
  .map((parts) => parts.join(""));

describe("an agent's words as they stream", () => {
  it("keep every character, and look the same in whatever pieces they come", () => {
    fc.assert(
      fc.property(
        text,
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }),
        (whole, sizes) => {
          const pieces: string[] = [];
          for (let at = 0, turn = 0; at < whole.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            pieces.push(whole.slice(at, at + size));
            at += size;
          }
          expect(stripVTControlCharacters(shown(...pieces))).toBe(whole);
          expect(joined(shown(...pieces))).toBe(joined(shown(whole)));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("are shown as they come: what waits for its meaning is a few characters, so the work is linear", () => {
    const long = fc.constantFrom("*", "`", "#", "~", "x", " ", "**`", "* ");
    fc.assert(
      fc.property(
        fc.array(long, { maxLength: 4 }),
        long,
        fc.integer({ min: 1, max: 9 }),
        (head, unit, size) => {
          const markdown = new Markdown();
          let [told, seen] = [0, 0];
          for (const piece of [...head, ...Array.from({ length: 60 }, () => unit.repeat(size))]) {
            told += piece.length;
            seen += stripVTControlCharacters(markdown.push(piece)).length;
            expect(told - seen).toBeLessThan(7);
          }
        },
      ),
    );
  });

  it("show headings, bold, code and fences, and leave what only looks like them", () => {
    expect(shown("## Plan\n")).toBe(`${BOLD}## Plan${OFF}\n`);
    expect(shown("a **b c** d `e` f")).toBe(`a ${BOLD}**b c**${OFF} d ${CODE}\`e\`${OFF} f`);
    expect(shown("2 ** 3, #1 and `**`")).toBe(`2 ** 3, #1 and ${CODE}\`**\`${OFF}`);
    expect(shown("**open\nnext")).toBe(`${BOLD}**open${OFF}\nnext`);
    expect(shown("```sh\nls **\n```\nend")).toBe(
      `${DIM}\`\`\`sh${OFF}\n${DIM}ls **${OFF}\n${DIM}\`\`\`${OFF}\nend`,
    );
  });
});
