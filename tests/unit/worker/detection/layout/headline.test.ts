/** What is said of a screen that nobody can read is a text of its dialog: no edge, no logo, no row of a list, no keys that are told. */
import { describe, expect, it } from "vitest";
import { findHeadline } from "../../../../../src/worker/detection/layout/headline.js";
import { findLastDrawn, toPage } from "../../../../../src/worker/detection/layout/layout.js";
import { drawView } from "../screens.js";

const HIDDEN = { cursorHidden: true };

async function headline(
  rows: readonly string[],
  drawing: Parameters<typeof drawView>[1] = HIDDEN,
): Promise<string | null> {
  const page = toPage(await drawView(rows, drawing));
  return findHeadline(page, 0, findLastDrawn(page));
}

describe("the headline of a screen that nobody can read", () => {
  it("is the lowest question nearby", async () => {
    const rows = [
      "Is it old?",
      "",
      "┃  Which region?",
      "┃",
      "┃  1. EU",
      "┃  2. US",
      "┃",
      "┃  enter submit  esc dismiss",
    ];
    expect(await headline(rows)).toBe("Which region?");
  });

  it("is a question also before the letters that answer it, and never a row of buttons", async () => {
    const rows = ["Which environment? (y/n)", "", "Name: none", "", "Accept    Decline", "", "Esc to cancel"];
    expect(await headline(rows)).toBe("Which environment? (y/n)");
    expect(await headline(rows.slice(2))).toBe("Name: none");
  });

  it("begins the last block that has a text of its own, where nothing asks", async () => {
    const rows = [
      "▄▄▄ ▄▄ LOGO",
      "",
      "╭────────╮",
      "│ Sign in │",
      "│ with a key │",
      "╰────────╯",
      "",
      "Enter to confirm · Esc to cancel",
    ];
    expect(await headline(rows)).toBe("Sign in");
    expect(await headline([...rows, "", "⎿  2 background tasks"])).toBe("Sign in");
  });

  it("is of the block of the cursor, where one is shown", async () => {
    const rows = ["Name of it", "> ", "", "Something else", "below"];
    expect(await headline(rows, { cursor: [2, 1] })).toBe("Name of it");
  });

  it("is a row of a list only where nothing else is drawn", async () => {
    expect(await headline(["│ ● 1. Allow once │", "│   2. No │", "╰─────────╯"])).toBe("● 1. Allow once");
    expect(await headline(["╭─────╮", "╰─────╯"])).toBeNull();
  });
});
