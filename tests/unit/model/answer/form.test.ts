/** The answer to a form of several questions has one line for each question and one normal form. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeForm, parseForm, type FormField } from "../../../../src/model/answer/form.js";
import { parseLegalValue } from "../../../../src/model/answer/reply.js";

const FORM: readonly FormField[] = [
  {
    name: "Database",
    question: "Which database?",
    options: [{ label: "PostgreSQL" }, { label: "SQLite" }],
    ownWords: true,
  },
  {
    name: "Features",
    question: "Which features?",
    options: [{ label: "Auth" }, { label: "Search" }],
    multi: true,
  },
  { name: "Name", question: "Its name?", options: [] },
];

const legal = (value: string) =>
  parseLegalValue(
    {
      promptType: "free_text",
      choices: [],
      constraints: { form: FORM, declinable: true },
    },
    value,
  );
const readCode = (value: string): string | null => {
  const result = legal(value);
  return result.ok ? null : result.rejection.code;
};

describe("an answer to several questions", () => {
  it.each([
    ["numbers", "2\n1,2\ndemo", '{"Database":"SQLite","Features":["Auth","Search"],"Name":"demo"}'],
    [
      "blank lines between",
      "\n 1 \n\n none\n\n demo\n",
      '{"Database":"PostgreSQL","Features":[],"Name":"demo"}',
    ],
    [
      "own words",
      "MariaDB, please\n2\nmy app",
      '{"Database":"MariaDB, please","Features":["Search"],"Name":"my app"}',
    ],
    ["labels", "SQLite\nSearch, Auth\n7", '{"Database":"SQLite","Features":["Auth","Search"],"Name":"7"}'],
    [
      "JSON in any order",
      '{"Name":"x","Features":["Search"],"Database":"1"}',
      '{"Database":"PostgreSQL","Features":["Search"],"Name":"x"}',
    ],
  ])("is read from %s", (_, value, normal) => {
    expect(legal(value)).toEqual({ ok: true, value: normal });
  });

  it("is its own normal form", () => {
    const normal = '{"Database":"MariaDB","Features":[],"Name":"x"}';
    expect(legal(normal)).toEqual({ ok: true, value: normal });
  });

  it("is the option with that number, also where labels are numbers; a program's is the label", () => {
    const form = [{ name: "n", question: "How many?", options: [{ label: "2" }, { label: "1" }] }];
    const read = (value: string) => parseForm(form, value);
    expect(read("1")).toEqual({ ok: true, answer: [["n", "2"]] });
    expect(read('{"n":"1"}')).toEqual({ ok: true, answer: [["n", "1"]] });
    expect(read(encodeForm([["n", "2"]]))).toEqual({ ok: true, answer: [["n", "2"]] });
  });

  it("needs a line for each question", () => {
    for (const value of [
      "1",
      "1\n2",
      "1\n2\nx\ny",
      "",
      "{}",
      '{"Database":"1"}',
      "{",
      "[1,2,3]",
      '{"a":1,"b":2,"c":3}',
    ])
      expect(readCode(value), value).toBe("form_incomplete");
  });

  it("refuses a number that names no option", () => {
    for (const value of ["3\n1\nx", "0\n1\nx", "1\n3\nx", "1\nAuth,9\nx"])
      expect(readCode(value), value).toBe("option_unknown");
  });

  it("can be declined", () => {
    expect(legal(" Decline ")).toEqual({ ok: true, value: "decline" });
  });

  it("holds no control characters", () => {
    expect(readCode("1\n2\n\u001b[2J")).toBe("control_characters");
  });

  it("never fails, and what is legal is stable", () => {
    const value = fc.oneof(
      fc.string(),
      fc.json(),
      fc.array(fc.string()).map((lines) => lines.join("\n")),
    );
    fc.assert(
      fc.property(value, (text) => {
        const parsed = parseForm(FORM, text);
        if (!parsed.ok) return;
        const normal = encodeForm(parsed.answer);
        const again = parseForm(FORM, normal);
        expect(again.ok && encodeForm(again.answer)).toBe(normal);
      }),
      { numRuns: 5000 },
    );
  });
});
