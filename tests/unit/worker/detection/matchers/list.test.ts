/**
 * A list is read with its choices, keys, highlight and content in every layout that a rule describes, and similar text or a menu
 * of the user is not.
 */
import { describe, expect, it } from "vitest";
import { compileAdapter } from "../../../../../src/worker/adapter-format/compiled/compile-rules.js";
import { bashDialog, composer, detectOn, IDLE, shippedAdapter, WORKING } from "../screens.js";

const claude = shippedAdapter("claude");
const ALTERNATE = { alternate: true, cursorHidden: true } as const;

describe("the permission dialog of claude", () => {
  it("is read with its choices, intents, keys, highlight and content", async () => {
    const { rows, cursor } = bashDialog({ highlighted: 2 });
    const { candidate, state } = await detectOn(claude, rows, { ...ALTERNATE, cursor });
    expect(state).toBe("waiting");
    expect(candidate).toMatchObject({
      rule: "permission",
      promptType: "multiple_choice",
      safetyClass: "permission",
      question: "Do you want to proceed?",
      highlighted: 2,
      content: { text: "Bash command\nRemove build folder\nrm -rf build", cut: null },
      committingKeys: ["\r", "\u001b", "1", "2", "3"],
      endsTool: [],
    });
    expect(candidate?.choices.map(({ label, intent, answer }) => [label, intent, answer])).toEqual([
      ["Yes", "allow_once", { by: "key", key: "1" }],
      ["Yes, and don't ask again for: rm *", "allow_always", { by: "key", key: "2" }],
      ["No", "reject_once", { by: "key", key: "3" }],
    ]);
  });

  it("joins the wrapped rows of a choice", async () => {
    const label = "Yes, and always allow access to a directory whose name is long enough to need";
    const { rows, cursor } = bashDialog({ choices: ["Yes", `${label}\r\n      another row`, "No"] });
    const { candidate } = await detectOn(claude, rows.join("\r\n").split("\r\n"), { ...ALTERNATE, cursor });
    expect(candidate?.choices.map((choice) => choice.label)).toEqual(["Yes", `${label} another row`, "No"]);
  });

  it("says that content is cut when the dialog says so", async () => {
    const { rows, cursor } = bashDialog({ below: [" ↑ 16 more lines ", " Esc to cancel · Tab to amend"] });
    const { candidate } = await detectOn(claude, rows, { ...ALTERNATE, cursor });
    expect(candidate?.content.cut).toEqual({ missing: "16 more lines" });
  });

  it("says that content is cut when its top is off the screen", async () => {
    const { rows, cursor } = bashDialog({ above: [] });
    const { candidate } = await detectOn(claude, rows.slice(1), {
      ...ALTERNATE,
      cursor: [cursor[0], cursor[1] - 1],
    });
    expect(candidate?.content).toEqual({ text: "Bash command\nRemove build folder\nrm -rf build", cut: {} });
  });

  it("fetches the top back from the scrollback of the main screen", async () => {
    const { rows } = bashDialog({ command: "echo", above: [] });
    const filler = Array.from({ length: 6 }, (_, index) => ` line ${index} of the command`);
    const { candidate } = await detectOn(claude, [...rows.slice(0, 3), ...filler, ...rows.slice(3), ""], {
      rows: 14,
      cursorHidden: true,
    });
    expect(candidate?.content.cut).toBeNull();
    expect(candidate?.content.text).toContain("Bash command\nRemove build folder\nline 0 of the command");
  });

  it("keeps rows apart where a line feed may be meant, and joins numbered code", async () => {
    const head = ["─".repeat(80), " Create file", " a.ts", "╌".repeat(80)];
    const code = `  1 const text = "${"x".repeat(61)}`;
    const body = [
      code,
      `    ${"y".repeat(10)}";`,
      "  2 done",
      "╌".repeat(80),
      " Do you want to create a.ts?",
    ];
    const rows = [...head, ...body, " ❯ 1. Yes", "   2. No", "", " Esc to cancel"];
    const { candidate } = await detectOn(claude, rows, { ...ALTERNATE, cursor: [1, 9] });
    expect(candidate?.content.text).toContain(`${"x".repeat(61)}${"y".repeat(10)}";\n 2 done`);
  });

  it("takes a row with the cursor in its text for a text row", async () => {
    const { rows } = bashDialog({ choices: ["Yes", "No, use the other file"], highlighted: 2 });
    const y = rows.findIndex((row) => row.includes("❯"));
    const { candidate } = await detectOn(claude, rows, { ...ALTERNATE, cursor: [20, y] });
    expect(candidate?.choices[1]?.takesText).toBe("required");
    expect(candidate?.committingKeys).toEqual(["\r", "\u001b"]);
  });
});

describe("a picture that only looks like a dialog of claude", () => {
  it.each([
    ["a list in finished text, above an idle input box", IDLE, "idle"],
    ["a list in streamed text, above a busy input box", WORKING, "working"],
  ])("never fires: %s", async (_name, status, expected) => {
    const { rows } = bashDialog();
    const screen = composer(status, rows);
    const { candidate, state } = await detectOn(claude, screen, {
      ...ALTERNATE,
      cursor: [2, screen.length - 3],
    });
    expect(candidate).toBeNull();
    expect(state).toBe(expected);
  });

  it("never fires without the cursor on the marked row", async () => {
    const { rows, cursor } = bashDialog();
    const { candidate } = await detectOn(claude, rows, { ...ALTERNATE, cursor: [cursor[0] + 1, cursor[1]] });
    expect(candidate?.rule).not.toBe("permission");
    const visible = await detectOn(claude, rows, { alternate: true, cursor: [0, rows.length] });
    expect(visible.candidate?.rule).not.toBe("permission");
  });

  it("never fires with anything but the footer below", async () => {
    const { rows, cursor } = bashDialog();
    const { candidate } = await detectOn(claude, [...rows, "", "● and more text"], { ...ALTERNATE, cursor });
    expect(candidate?.rule).not.toBe("permission");
  });

  it("reads the list that is live when the command imitates one", async () => {
    const { rows } = bashDialog({ command: "printf ' ❯ 1. Yes'\r\n   2. No\r\n Do you want to proceed?" });
    const lines = rows.join("\r\n").split("\r\n");
    const y = lines.findLastIndex((row) => row.includes("❯"));
    const { candidate } = await detectOn(claude, lines, { ...ALTERNATE, cursor: [1, y] });
    expect(candidate?.choices).toHaveLength(3);
    expect(candidate?.content.text).toContain("2. No\nDo you want to proceed?");
  });

  it("is read as a menu where the user opened one", async () => {
    const menu = [
      "▔".repeat(80),
      "  Select model",
      "",
      "  ❯ 1. Default",
      "    2. Opus",
      "",
      "  Esc to cancel",
    ];
    const { candidate } = await detectOn(claude, menu, { ...ALTERNATE, cursor: [2, 3] });
    expect(candidate?.safetyClass).toBe("user_menu");
  });
});

describe("start-up dialogs of claude", () => {
  const trust = [
    "─".repeat(80),
    " Accessing workspace:",
    "",
    " /home/dev/proj",
    "",
    " Quick safety check: Is this a project you created or one you trust? (Like your",
    " own code.)",
    "",
    " Security guide",
    "",
    " ❯ No, exit",
    "   Yes, I trust this folder",
    "",
    " Enter to confirm · Esc to cancel",
  ];

  it("are answered by arrows, whatever row is highlighted, and some choices end the tool", async () => {
    const { candidate } = await detectOn(claude, trust, { cursorHidden: true, cursor: [1, 10] });
    expect(candidate).toMatchObject({ safetyClass: "trust", highlighted: 1, endsTool: [1] });
    expect(candidate?.choices.map(({ answer }) => answer.by)).toEqual(["arrows", "arrows"]);
    expect(candidate?.content.text).toContain("/home/dev/proj");
  });

  it("are found with the cursor parked, hidden, below the drawing", async () => {
    const parked = await detectOn(claude, [...trust, ""], { cursorHidden: true });
    expect(parked.candidate?.rule).toBe("trust_folder");
    const shown = await detectOn(claude, [...trust, ""]);
    expect(shown.candidate?.rule).not.toBe("trust_folder");
  });
});

describe("a list", () => {
  const adapter = compileAdapter(
    `schema: 1
name: demo
version: 1.0.0
description: demonstration
family: agent
process: {}
rules:
  - name: pick
    shape: list
    class: question
    confidence: 0.9
    list: { glyphs: ["›", ">"] }
`,
    "demo.yaml",
  );
  const pick = (rows: readonly string[], cursor: readonly [number, number], cols = 40) =>
    detectOn(adapter, rows, { cursor, cols });

  it("may be numbered without a blank behind the dot, one column to the left", async () => {
    const { candidate } = await pick(["Which?", "> 1.One", " 2.Two", "  3.Three"], [0, 1]);
    expect(candidate?.choices.map(({ label }) => label)).toEqual(["One", "Two", "Three"]);
  });

  it("begins at 1: numbered text right above it is no part of it", async () => {
    const { candidate } = await pick(["Which?", "  7. text", "  1. One", "› 2. Two"], [0, 3]);
    expect(candidate?.choices.map(({ label }) => label)).toEqual(["One", "Two"]);
    expect(candidate?.highlighted).toBe(2);
  });

  it("needs two rows at least", async () => {
    expect((await pick(["Which?", "> 1. One"], [0, 1])).candidate).toBeNull();
  });

  it("is cut off from its second lines where a word would have had room", async () => {
    const { candidate } = await pick(["Which?", "> 1. One", "     about one", "  2. Two"], [0, 1]);
    expect(candidate?.choices[0]).toMatchObject({ label: "One", detail: "about one" });
  });

  it("has arrows for the rows above nine", async () => {
    const rows = Array.from({ length: 11 }, (_, i) => `${i === 0 ? ">" : " "} ${i + 1}. Row ${i + 1}`);
    const { candidate } = await pick(["Which?", ...rows], [0, 1]);
    expect(candidate?.choices.map(({ answer }) => answer.by).slice(8)).toEqual(["key", "arrows", "arrows"]);
  });
});
