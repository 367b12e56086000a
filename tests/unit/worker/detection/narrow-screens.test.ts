/** What claude draws on narrow screens and for screen readers, and what the readers that know no rule make of it. */
import { describe, expect, it } from "vitest";
import { detectOn, drawBytes, shippedAdapter, type Drawing } from "./screens.js";
import { Session } from "./session.js";

const claude = shippedAdapter("claude");
const HIDDEN = { cols: 45, rows: 20, cursorHidden: true, cursor: [0, 19] } as const;
const draw = async (rows: readonly string[], drawing: Drawing) => await detectOn(claude, rows, drawing);
const labels = async (rows: readonly string[], drawing: Drawing = HIDDEN) =>
  (await draw(rows, drawing)).candidate?.choices.map(({ label }) => label);

describe("a list on a narrow screen", () => {
  it("goes on below a blank row with the next number, and a label at the edge", async () => {
    const rows = [
      " Do you want to allow Claude to fetch this",
      " content?",
      " ❯ 1. Yes",
      "  2. Yes, and don't ask again for example.com",
      "",
      "  3. No, and tell Claude what to do different",
      "ly",
      "     (esc)",
    ];
    expect(await labels(rows)).toHaveLength(3);
  });

  it("has answers, whatever the last row above it is called", async () => {
    const rows = [
      " No code changes will be made until you",
      " approve the plan.",
      "",
      "  ❯ 1. Yes, go on",
      "    2. No",
    ];
    expect(await labels(rows)).toEqual(["Yes, go on", "No"]);
  });
});

describe("a list in words", () => {
  const LIST = [
    "Choose the text style",
    "1. current: Auto",
    "2. Dark mode",
    "Select with numbers [1-2]. Then Enter to",
    "submit:",
  ];
  const SAMPLE = [
    " 1  function greet() {",
    " 2 -  one",
    " 2 +  two",
    " 3  }",
    " Syntax theme: Monokai (ctrl+t to",
    "disable)",
  ];

  it("may have a sample below the row that asks", async () =>
    expect(await labels([...LIST, ...SAMPLE], { cols: 45, cursor: [4, 4] })).toEqual([
      "current: Auto",
      "Dark mode",
    ]));

  it("is read with a number that somebody has typed, and takes no answer then", async () => {
    const rows = ["Which one?", "1. Red", "2. Blue", "Select with numbers [1-2]. Then Enter to submit: 12"];
    const { candidate } = await draw(rows, { cursor: [50, 3] });
    expect(candidate).toMatchObject({ choices: [{}, {}], hasDraft: true });
  });
});

describe("a screen in words", () => {
  it("that names its keys in the last row is a notice, though the cursor was left behind them", async () => {
    const rows = ["Checks do not work", "You can stay.", "Enter to stay in auto mode · Esc to cancel"];
    expect((await draw(rows, {})).candidate).toMatchObject({
      rule: "key_notice",
      promptType: "confirm_enter",
    });
  });

  it("with an input box is idle, also with a text in it or for a command of the shell", async () => {
    expect((await draw(["manual mode on", "$\u00a0 please do it"], {})).state).toBe("idle");
    expect((await draw(["! for shell mode", "effort: medium · /effort"], {})).state).toBe("idle");
  });
});

describe("a form without a rule", () => {
  it("is noticed as soon as a list, because its buttons are its last rows", async () => {
    const rows = [
      "─".repeat(45),
      "  The server requests your input",
      "  ❯ * Environment: Type something…",
      "",
      "    Accept    Decline",
      "",
      "  Esc to cancel · ↑/↓ to navigate",
    ];
    expect(await draw(rows, HIDDEN)).toMatchObject({ candidate: { promptType: "unknown" }, stableMs: 1500 });
  });
});

describe("a menu whose command has scrolled away", () => {
  it("is not asked about, nor are the commands below a box in which somebody types one", async () => {
    const rows = [
      "> /tone",
      ...Array.from({ length: 24 }, (_, at) => `  About it, ${at}`),
      " ❯ 1. Warm",
      "   2. Cold",
    ];
    const asked = new Session("claude");
    await asked.draw(drawBytes(rows, { cursorHidden: true }));
    expect(asked.wait(100_000).prompts).toEqual([]);
    const typed = new Session("claude");
    await typed.draw(
      drawBytes(
        [">\u00a0/mo", "─".repeat(80), "  /model", ...Array.from({ length: 12 }, () => "      Set it")],
        { cursorHidden: true },
      ),
    );
    expect(typed.wait(100_000).prompts).toEqual([]);
  });
});
