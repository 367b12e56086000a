/** A drawn menu of an unknown program is raised once it is quiet for five seconds, and a picture that only resembles one is not. */
import { describe, expect, it } from "vitest";
import type { Signals } from "../../../../../src/sdk/view.js";
import { drawBytes, type Drawing } from "../screens.js";
import { Session } from "../session.js";

const RAW: Signals = { canonical: false, echo: false, foreground: "setup" };
const FULL: Drawing = { alternate: true, cursorHidden: true };
const lit = (text: string, style = "7"): string => `\u001b[${style}m${text}\u001b[0m`;

async function raisedOn(
  rows: readonly string[],
  drawing: Drawing = {},
  signals: Signals = RAW,
): Promise<readonly string[]> {
  const session = new Session("generic");
  session.signals = signals;
  (await session.draw(drawBytes(rows, drawing))).wait(8000);
  return session.prompts;
}

const MENUS: readonly (readonly [name: string, rows: readonly string[], drawing: Drawing])[] = [
  [
    "a pointer on the main screen",
    ["Pick one", "", "   Library", " > Service", "   Site", ""],
    { cursorHidden: true },
  ],
  ["an arrow of two signs", ["Pick one", "", "-> Library", "   Site", ""], { cursorHidden: true }],
  ["a pointer, the cursor below", ["Pick one", "  Library", "▶ Site", ""], { cursor: [0, 3] }],
  [
    "reverse video in a full screen",
    ["", "", "  Targets", "", "   Staging", `   ${lit("Production")}`, "   None"],
    FULL,
  ],
  [
    "a ground of its own",
    ["", "  Targets", "  Staging", `  ${lit("Production", "48;5;24")}`, "  None"],
    FULL,
  ],
  ["rows in a frame", ["", "┌──────┐", "│ One  │", `│ ${lit("Two ")} │`, "│ Three│", "└──────┘"], FULL],
];

describe("a drawn menu of an unknown program", () => {
  it.each(MENUS)("is raised once it is quiet for five seconds: %s", async (_, rows, drawing) => {
    expect(await raisedOn(rows, drawing)).toEqual(["raise unknown"]);
  });

  it.each(MENUS)(
    "is not raised while the terminal takes lines, echoes, or no process reads: %s",
    async (_, rows, drawing) => {
      expect(await raisedOn(rows, drawing, { ...RAW, canonical: true })).toEqual([]);
      expect(await raisedOn(rows, drawing, { ...RAW, echo: true })).toEqual([]);
      expect(await raisedOn(rows, drawing, { ...RAW, blockedOnRead: false })).toEqual([]);
      expect(await raisedOn(rows, drawing, {})).toEqual([]);
    },
  );

  it.each(["vim", "less", "htop", "zsh", "fish", "ncdu", "lazygit", "mutt", "ipython"])(
    "is not raised where %s draws it for its user",
    async (foreground) => {
      for (const [, rows, drawing] of MENUS)
        expect(await raisedOn(rows, drawing, { ...RAW, foreground })).toEqual([]);
    },
  );

  it("is raised a minute later where somebody uses it", async () => {
    const session = new Session("generic");
    session.signals = RAW;
    const [, rows, drawing] = MENUS[0]!;
    (await session.draw(drawBytes(rows, drawing))).wait(1000);
    (await session.type("\u001b[B").draw("")).wait(50_000);
    expect(session.prompts).toEqual([]);
    session.wait(20_000);
    expect(session.prompts).toEqual(["raise unknown"]);
  });
});

const EDITOR = [...Array.from({ length: 22 }, (_, at) => `line ${at}`), lit("file.txt  1,1  All"), ""];

describe("a picture that resembles a menu", () => {
  it.each<[string, readonly string[], Drawing]>([
    ["an editor's status line, its cursor in the text", EDITOR, { alternate: true, cursor: [0, 20] }],
    [
      "a line of a log in a drawn margin",
      ["┌  create-app", "│", "●  1. Yes", "│  2. No", "│", "◐  Building..", ""],
      { cursorHidden: true },
    ],
    ["a title above a text", [lit(" notes.txt            "), " one", " two", "", ""], FULL],
    ["a quotation in prose", ["> one", "> two", "> three"], { cursorHidden: true }],
    [
      "keys that are all explained alike",
      ["Watch usage", " › Press f to run failed tests", " › Press q to quit"],
      { cursorHidden: true },
    ],
    [
      "completions below a line that is typed",
      ["In: pri", "   print", `   ${lit("printf")}`, "   private"],
      { cursor: [7, 0] },
    ],
  ])("is not raised: %s", async (_, rows, drawing) => {
    expect(await raisedOn(rows, drawing)).toEqual([]);
  });
});
