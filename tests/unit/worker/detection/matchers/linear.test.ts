/**
 * A list that is drawn in words, for a screen reader, is read with its rows whether a number, a letter or Enter takes them; an answer that
 * imitates one is not. Nothing of it counts as certain.
 */
import { describe, expect, it } from "vitest";
import {
  matchAskedList,
  matchCheckedList,
  LINEAR_LIST,
} from "../../../../../src/worker/detection/matchers/linear.js";
import { toPage } from "../../../../../src/worker/detection/layout/layout.js";
import { drawView } from "../screens.js";

const ASKED = [
  "you: tidy up",
  "",
  "Remove the build?",
  "1. Yes",
  "2. Yes, always in this",
  "folder",
  "3. No, exit",
];
const NUMBERS = "Choose a number [1-3], then Enter: ";

async function asked(rows: readonly string[], cursor?: [number, number]) {
  return matchAskedList(toPage(await drawView(rows, cursor ? { cursor } : {})));
}

async function checked(rows: readonly string[], cursorHidden = true) {
  return matchCheckedList(toPage(await drawView(rows, { cursorHidden })));
}

describe("a list above a row that asks for a number", () => {
  it("is read with wrapped rows, and answered by a number and its Enter", async () => {
    const found = await asked([...ASKED, NUMBERS]);
    expect(found).toMatchObject({
      rule: LINEAR_LIST,
      promptType: "multiple_choice",
      score: 0.6,
      highlighted: null,
    });
    expect(found?.question).toBe("Remove the build?");
    expect(found?.choices.map(({ label }) => label)).toEqual([
      "Yes",
      "Yes, always in this folder",
      "No, exit",
    ]);
    expect(found?.choices.map(({ answer }) => answer)).toEqual(
      ["1", "2", "3"].map((text) => ({ by: "line", text })),
    );
    expect(found?.choices.map(({ intent }) => intent)).toEqual(["allow_once", "allow_always", "reject_once"]);
    expect(found?.endsTool).toEqual([3]);
    expect(found?.content.cut).not.toBeNull();
  });

  it("is read where the row is wrapped, and with help below it", async () => {
    const wrapped = [...ASKED, "Choose a number [1-3], then", "press Enter: ", "Esc to cancel"];
    expect((await asked(wrapped, [13, 8]))?.choices).toHaveLength(3);
  });

  it("takes no answer while somebody types a number there", async () =>
    expect(await asked([...ASKED, `${NUMBERS}2`])).toMatchObject({ hasDraft: true }));

  it("is not read where somebody types words, where a row is missing, or where the cursor is elsewhere", async () => {
    expect(await asked([...ASKED, `${NUMBERS}the second`])).toBeNull();
    expect(await asked([...ASKED.filter((row) => row !== "1. Yes"), NUMBERS])).toBeNull();
    expect(await asked([...ASKED, NUMBERS.replace("3", "4")])).toBeNull();
    expect(await asked([...ASKED, NUMBERS, "", "$ "])).toBeNull();
    expect(await asked([...ASKED, NUMBERS, ..."abcdefghi"], [34, 7])).toBeNull();
  });
});

describe("a list above a row that asks for y or n", () => {
  it("is a question of yes or no in the words of its rows", async () => {
    const found = await asked([
      "Is this a folder you trust? (Like",
      "your own.)",
      "y. Yes, trust it",
      "n. No, exit",
      "Enter y/n: ",
    ]);
    expect(found).toMatchObject({
      promptType: "yes_no",
      question: "Is this a folder you trust?",
      endsTool: [2],
    });
    expect(found?.choices.map(({ label, answer }) => [label, answer])).toEqual([
      ["Yes, trust it", { by: "line", text: "y" }],
      ["No, exit", { by: "line", text: "n" }],
    ]);
  });

  it("is none without both rows", async () => {
    expect(await asked(["Trust it?", "y. Yes", "Enter y/n: "])).toBeNull();
  });
});

describe("a list of which words mark a row", () => {
  it.each([
    ["in brackets", ["(checked) 1. Allow once", "2. No"]],
    ["before a colon", ["Current selection: 1. Allow once", "  2. No"]],
  ])("is answered by arrows: %s", async (_, rows) => {
    const found = await checked(["? Shell touch a", "Allow it?", "", ...rows, "", "enter to select"]);
    expect(found).toMatchObject({ question: "Allow it?", highlighted: 1 });
    expect(found?.choices.map(({ label, answer }) => [label, answer.by])).toEqual([
      ["Allow once", "arrows"],
      ["No", "arrows"],
    ]);
  });

  it("leaves out what explains a row, and knows the marked row wherever it is", async () => {
    const found = await checked(["Which?", "1. Auto", "It decides by itself.", "(selected) 2. Manual"]);
    expect(found?.choices.map(({ label }) => label)).toEqual(["Auto", "Manual"]);
    expect(found?.highlighted).toBe(2);
  });

  it("is none where two rows are marked, rows are missing, or an input row stands below", async () => {
    expect(await checked(["(checked) 1. A", "(checked) 2. B"])).toBeNull();
    expect(await checked(["(checked) 2. A", "3. B"])).toBeNull();
    expect(await checked(["(checked) 1. A", "2. B", "", ">   Type your message"])).toBeNull();
    expect(await checked(["(checked) 1. A", "2. B", "Continue?"])).toBeNull();
    expect(await checked(["(checked) 1. A", "2. B", ""], false)).toBeNull();
  });
});
