/** The grammar of answers at the end of a question reads back what it is given, and invents nothing in other texts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAnswerSet } from "../../../../src/worker/detection/shapes/answers/answer-set.js";

const PAIRS = ["y n", "yes no", "j n", "д н", "ja nein", "oui non"].map((pair) => pair.split(" "));
const BRACKETS = ["[]", "()"].map((pair) => [...pair]);
const END = fc.constantFrom("", " ", ": ", "? ", " ❯ ");
const QUESTION = fc.constantFrom("Overwrite a.txt?", "Delete the branch", "Möchten Sie fortfahren?");
const FURTHER = fc.uniqueArray(fc.constantFrom("c", "q", "all", "cancel", "retry", "?"), { maxLength: 4 });

/** The capital letter that marks a default. */
const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

describe("readAnswerSet", () => {
  it("reads every spelling of a yes, a no and further answers, with its default", () => {
    const inputs = fc.record({
      pair: fc.constantFrom(...PAIRS),
      further: FURTHER,
      separator: fc.constantFrom("/", "|", " / ", " | "),
      brackets: fc.constantFrom(...BRACKETS),
      byDefault: fc.constantFrom(null, 1, 2),
      isNamed: fc.boolean(),
      question: QUESTION,
      end: END,
    });
    fc.assert(
      fc.property(inputs, ({ pair, further, separator, brackets, byDefault, isNamed, question, end }) => {
        const words = [...pair, ...further];
        const marked = words.map((word, at) => (!isNamed && at + 1 === byDefault ? capitalize(word) : word));
        const named = isNamed && byDefault !== null ? ` [default=${words[byDefault - 1] ?? ""}]` : "";
        const line = `${question} ${brackets.join(marked.join(separator))}${named}${end}`;
        const set = readAnswerSet(line);
        expect(set?.answers.map(({ value }) => value)).toEqual(marked);
        expect(set).toMatchObject({ byDefault, isYesNo: further.length === 0 });
        expect(set?.question.startsWith(question)).toBe(true);
      }),
    );
  });

  it("reads answers that explain themselves, each by the letter in brackets", () => {
    const labels = fc.uniqueArray(fc.constantFrom("yes", "no", "edit", "quit", "all", "keep going"), {
      minLength: 2,
      selector: (label) => label.charAt(0),
    });
    const spellings = fc.constantFrom(
      (label: string) => `[${label.charAt(0)}]${label.slice(1)}`,
      (label: string) => `(${label.charAt(0).toUpperCase()})${label.slice(1)}`,
      (label: string) => `[${label.charAt(0).toUpperCase()}] ${label}`,
    );
    const separators = fc.constantFrom(", ", " / ", "  ", " | ");
    fc.assert(
      fc.property(labels, spellings, separators, QUESTION, (words, spell, separator, question) => {
        const set = readAnswerSet(`${question.replace(/\??$/u, "?")} ${words.map(spell).join(separator)}: `);
        expect(set?.answers.map(({ label }) => label.toLowerCase())).toEqual(words);
        expect(set?.answers.map(({ value }) => value.toLowerCase())).toEqual(
          words.map((word) => word.charAt(0)),
        );
        expect(set).toMatchObject({ question: question.replace(/\??$/u, "?"), isYesNo: false });
      }),
    );
  });

  it("offers only what the text holds", () => {
    const signs = fc.constantFrom(..."yYnNjoqa?/|,()[]<>: \t1-=.❯：", " or ", "default");
    fc.assert(
      fc.property(fc.string({ unit: signs, maxLength: 80 }), (text) => {
        const set = readAnswerSet(text);
        if (set === null) return;
        const plain = text.toLowerCase();
        const isPair = set.isYesNo && set.answers.some(({ value }) => plain.includes(value.toLowerCase()));
        expect(isPair || set.answers.every(({ value }) => plain.includes(value.toLowerCase()))).toBe(true);
        expect(set.byDefault === null || set.answers[set.byDefault - 1] !== undefined).toBe(true);
        expect(new Set(set.answers.map(({ value }) => value)).size).toBe(set.answers.length);
      }),
      { numRuns: 2000 },
    );
  });
});
