/** What a card says stands on it once: its question, each choice, and after its end one line about it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatPlace,
  formatSettled,
  listsForm,
  makePreview,
  needsQuestion,
  omitChoiceRows,
  selectListedChoices,
} from "../../../src/sdk/card-parts.js";
import type { Choice } from "../../../src/sdk/channel.js";
import { buttonsFor, promptNotice, SESSION } from "../../../src/compat/testing/notices.js";

const content = (text: string) => ({ text, cut: null });

describe("the question of a card", () => {
  it.each([
    ["stands above other content", "Do it?", "rm -rf build", true, true],
    ["not above content that begins with it", "Which color?", "Which\n color?\n\n1) red", true, false],
    ["not above content that ends with it", "Do it?", "rm -rf build\n\nDo it?", true, false],
    [
      "not above content whose last line says how to answer it",
      "Do it?",
      "Two files differ.\nDo it? [y/N] ",
      true,
      false,
    ],
    ["not above content that goes on with it", "Which of the …", "Which of the two colors?", true, false],
    ["above content that has it in the middle", "Do it?", "It asked “Do it?” before", true, true],
    ["above content that is cut, which may not show it", "Do it?", "Do it?", false, true],
    ["nowhere without words", " ", "rm", true, false],
  ])("%s", (_, question, text, isWhole, stands) => {
    expect(needsQuestion(promptNotice("1", { question, content: content(text) }), isWhole)).toBe(stands);
  });

  it("of a form is listed where the content does not list it", () => {
    const form = [{ name: "a", question: "Which color?", options: [] }];
    expect(listsForm(promptNotice("1", { form, content: content("1) Which color?") }))).toBe(true);
    expect(listsForm(promptNotice("1", { form, content: content("Details") }))).toBe(false);
  });
});

describe("the choices of a card", () => {
  const long = "Yes, and don't ask again for anything in this folder";
  const choices: Choice[] = [
    { label: "Yes", intent: "allow_once" },
    { label: long, intent: "allow_always" },
    { label: "No", intent: "reject_once", detail: "The tool is told why" },
  ];

  it("are written out only where their button cannot show them in full", () => {
    expect(selectListedChoices(promptNotice("1", { choices }), 40)).toEqual([1, 2]);
    expect(selectListedChoices(promptNotice("1", { choices: choices.slice(0, 1) }), 40)).toEqual([]);
  });

  it("are all written out where some have no button", () => {
    const buttons = buttonsFor(choices).slice(0, 2);
    expect(selectListedChoices(promptNotice("1", { choices, buttons }), 40)).toEqual([0, 1, 2]);
  });
});

describe("the rows of a menu", () => {
  const colors: Choice[] = [{ label: "red" }, { label: "dark  green" }].map((choice) => ({
    ...choice,
    intent: "other",
  }));
  const show = (text: string, more: Partial<Parameters<typeof promptNotice>[1]> = {}) =>
    omitChoiceRows(
      promptNotice("1", { safetyClass: "question", choices: colors, content: content(text), ...more }),
    ).content.text;

  it("are left out of the content, for each stands on its button or in the list", () => {
    expect(show("Files differ.\n  1) red\n  2) dark green\nWhich?")).toBe("Files differ.\nWhich?");
    expect(show("1) red         2) dark green\nWhich?")).toBe("Which?");
    expect(show("Which?\n[1] red\n[2] dark green\n")).toBe("Which?");
  });

  it("are left out below earlier output, too", () => {
    const above = { content: { text: "1) red\n2) dark green\nWhich?", cut: { above: true } } } as const;
    expect(show("", above)).toBe("Which?");
  });

  it("are those of this question, not of the one before it", () => {
    const before = "1. red\n2. dark green\nWhich? 1\n";
    expect(show(`${before}1. red\n2. dark green\nAnd now?`)).toBe(`${before}And now?`);
  });

  it.each([
    ["one of them says more", "1) red\n2) dark green  the default\nWhich?", {}],
    ["their numbers are not those of the buttons", "0) red\n1) dark green\nWhich?", {}],
    ["they stand in what somebody allows", "1) red\n2) dark green", { safetyClass: "permission" }],
    ["it is not sure that this is a prompt", "1) red\n2) dark green", { confidence: "low" }],
    [
      "a part of the content is missing",
      "1) red\n2) dark green",
      { content: { text: "1) red\n2) dark green", cut: {} } },
    ],
  ] as const)("stay where %s", (_, text, more) => {
    expect(show(text, more)).toBe(text);
  });
});

describe("the line of a settled card", () => {
  it("says what was allowed, and of a question what was asked", () => {
    const text = content("\n  rm -rf build\nand more");
    expect(formatSettled(promptNotice("1", { content: text }))).toBe("api · mytool: rm -rf build");
    const asked = { safetyClass: "question", question: "Which\ncolor?", content: text } as const;
    expect(formatSettled(promptNotice("1", asked))).toBe("api · mytool: Which color?");
    expect(formatSettled(promptNotice("1", { content: content("") }))).toMatch(/run this command\?$/);
  });

  it("is short, whatever a tool puts into it, and names the machine where there are several", () => {
    const session = { ...SESSION, host: "laptop", tool: "t".repeat(500), label: "l".repeat(500) };
    const line = formatSettled(promptNotice("1", { session, content: content("x".repeat(5_000)) }));
    expect(line.startsWith("laptop · l")).toBe(true);
    expect(line.length).toBeLessThan(200);
    expect(formatPlace({ ...SESSION, host: "laptop" }, 40)).toBe("laptop · api · ~/src/api");
    expect(formatPlace(SESSION, 40)).toBe("api · ~/src/api");
  });

  it("cuts long names, but not the folder", () => {
    const place = `/srv/${"customer-one/".repeat(20)}api`;
    const session = { ...SESSION, host: "h".repeat(50), label: null, place };
    expect(formatPlace(session, 40)).toBe(`${"h".repeat(39)}… · ${place}`);
  });
});

describe("content in the room of a card", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", " ", "\n", "\t", "é", "👨‍👩‍👧", "long word "),
    maxLength: 3_000,
  });
  const LINE = /⋯ ([\d,]+) characters not shown ⋯/;

  it("is whole, or its beginning and its end with the right count between them, and never longer than the room", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 2_000 }), (whole, room) => {
        const preview = makePreview(whole, room);
        expect(preview.text.length).toBeLessThanOrEqual(room);
        if (whole.length <= room) expect(preview).toEqual({ text: whole, omitted: 0 });
        else if (preview.text === "") expect(preview.omitted).toBe(whole.length);
        if (whole.length <= room || preview.text === "") return;
        const [head = "", count = "", tail = ""] = preview.text.split(LINE);
        const shown = [head.replace(/…?\n$/, ""), tail.replace(/^\n…?/, "")] as const;
        expect(whole.startsWith(shown[0]) && whole.endsWith(shown[1])).toBe(true);
        expect(count.replaceAll(",", "")).toBe(String(preview.omitted));
        const breaks = head.endsWith("…\n") ? 0 : 1;
        expect(shown[0].length + breaks + preview.omitted + shown[1].length).toBe(whole.length);
      }),
    );
  });

  it("uses at least half of the room, beginning and end alike", () => {
    const rows = Array.from({ length: 500 }, (_, row) => `row ${row}`).join("\n");
    for (const whole of [rows, "x".repeat(9_000)]) {
      const [head = "", , tail = ""] = makePreview(whole, 1_000).text.split(LINE);
      for (const part of [head, tail]) expect(part.length).toBeGreaterThan(400);
    }
  });
});
