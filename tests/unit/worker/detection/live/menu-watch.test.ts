/**
 * A menu that the user opened is not raised, and a dialog that looks like one is raised, by the keys before it and by the tool's
 * own reports.
 */
import { describe, expect, it } from "vitest";
import { drawBytes, detectOn, shippedAdapter } from "../screens.js";
import { Session } from "../session.js";

const DRAWN = { alternate: true, cursorHidden: true };
const codexRows = (footer: readonly string[]): readonly string[] => [
  "  Finish setting up your workspace",
  "",
  "  Two steps are left.",
  "",
  "\u001b[1;36m› 1. Set up now\u001b[0m",
  "  2. Never ask again",
  "",
  ...footer,
];
const CODEX = drawBytes(codexRows(["  enter choose · esc later"]), DRAWN);
const COMPOSER = drawBytes(["› \u001b[2mAsk Codex to do anything\u001b[0m", "", "  model · ~/proj"], {
  alternate: true,
  cursor: [2, 0],
});
const PERMISSION = { declared: { state: "blocked", kind: "permission" } } as const;
const DIALOG_OPEN = { declared: { state: "blocked" } } as const;

describe("a list that looks like a menu of codex", () => {
  it("is raised with its rows when it appeared without a key before it", async () => {
    const session = await new Session("codex").draw(CODEX);
    expect(session.wait(1400).prompts).toEqual([]);
    session.wait(200);
    expect(session.prompts).toEqual(["raise multiple_choice"]);
    expect(session.detector.pending?.candidate).toMatchObject({
      safetyClass: "permission",
      score: 0.6,
      choices: [{ label: "Set up now" }, { label: "Never ask again" }],
    });
  });

  it.each(["typed", "clicked"])("is not raised when the user %s just before", async (how) => {
    const session = await new Session("codex").draw(COMPOSER);
    session.wait(60_000);
    if (how === "typed") session.type("/setup\r");
    else session.detector.onClicked();
    (await session.wait(400).draw(CODEX)).wait(120_000);
    expect(session.prompts).toEqual([]);
  });

  it("is still not raised when it is drawn again after a resize", async () => {
    const session = await new Session("codex").draw(COMPOSER);
    (await session.type("/setup\r").wait(400).draw(CODEX)).wait(30_000);
    session.detector.onResized();
    (await session.draw("\u001b[2J")).wait(80);
    (await session.draw(CODEX)).wait(60_000);
    expect(session.prompts).toEqual([]);
  });

  it("is raised when the tool worked after the last key, as the tool drew it then", async () => {
    const session = new Session("codex");
    session.type("tidy up\r");
    session.signals = { declared: { state: "working" } };
    (await session.draw(COMPOSER)).wait(3000);
    session.signals = {};
    (await session.draw(CODEX)).wait(5500);
    expect(session.prompts).toEqual(["raise multiple_choice"]);
  });

  it("is raised after any keys when the tool says that a permission blocks it", async () => {
    const session = await new Session("codex").draw(COMPOSER);
    session.type("x");
    session.signals = PERMISSION;
    (await session.wait(50).draw(CODEX)).wait(2500);
    expect(session.prompts).toEqual(["raise multiple_choice"]);
  });

  it("is not raised while the tool says that it is idle or works", async () => {
    const session = await new Session("codex").draw(CODEX);
    session.signals = { declared: { state: "idle" } };
    session.detector.wake();
    session.wait(60_000);
    expect(session.prompts).toEqual([]);
  });
});

describe("a page that looks like a menu of claude", () => {
  const page = drawBytes(["▔".repeat(80), "  Something new", "", "  ❯ Go on", "    Stop"], {
    ...DRAWN,
    cursor: [2, 3],
  });

  it("is raised when claude says that a question blocks it, also just after a key", async () => {
    const session = new Session("claude");
    session.type("\r");
    session.signals = PERMISSION;
    (await session.wait(40).draw(page)).wait(2500);
    expect(session.prompts).toEqual(["raise multiple_choice"]);
    expect(session.detector.pending?.candidate).toMatchObject({
      rule: "any_list",
      choices: [{ label: "Go on" }, { label: "Stop" }],
    });
  });

  it("is not raised after a key, where claude says only that a dialog is open", async () => {
    const session = new Session("claude");
    session.type("/model\r");
    session.signals = DIALOG_OPEN;
    (await session.wait(40).draw(page)).wait(30_000);
    expect(session.prompts).toEqual([]);
  });

  it("is raised without a key before it, where claude says only that a dialog is open", async () => {
    const session = new Session("claude");
    session.signals = DIALOG_OPEN;
    (await session.draw(page)).wait(2500);
    expect(session.prompts).toEqual(["raise multiple_choice"]);
    expect(session.detector.pending?.candidate).toMatchObject({
      rule: "any_list",
      choices: [{ label: "Go on" }, { label: "Stop" }],
    });
  });
});

describe("codex at rest", () => {
  const detectState = async (rows: readonly string[], drawing = {}): Promise<unknown> =>
    (await detectOn(shippedAdapter("codex"), rows, { alternate: true, ...drawing })).state;
  const BOX = ["• Done.", "", "› Ask Codex to do anything", "", "  model · ~/proj"];

  it("is known by the visible cursor in its input box", async () => {
    expect(await detectState(BOX, { cursor: [2, 2] })).toBe("idle");
    expect(await detectState(["› a draft", "  of two rows", "", "  model"], { cursor: [13, 1] })).toBe(
      "idle",
    );
  });

  it("is not believed where the cursor is hidden, stands elsewhere, or the row is numbered", async () => {
    expect(await detectState(BOX, { cursor: [2, 2], cursorHidden: true })).toBeNull();
    expect(await detectState(BOX, { cursor: [0, 4] })).toBeNull();
    expect(await detectState(["› 1. Yes", "  2. No", ""], { cursor: [2, 0] })).toBeNull();
  });
});

describe("a footer", () => {
  const SMALL = { cols: 45, cursor: [1, 2], cursorHidden: true } as const;
  const path = "/home/dev/a-very-long-folder-name/".repeat(5);
  const plan = (rows: number): readonly string[] => {
    const text = ` ctrl+g to edit in Vim · ${path}`;
    const pieces = Array.from({ length: rows }, (_, at) => ` ${text.slice(at * 42, (at + 1) * 42).trim()}`);
    return [
      "▔".repeat(45),
      " Would you like to proceed?",
      " ❯ 1. Yes, and use auto mode",
      "   2. No",
      "",
      ...pieces,
    ];
  };

  it.each([1, 3, 4, 5])("with a path that takes %i rows belongs to its dialog", async (rows) => {
    const found = await detectOn(shippedAdapter("claude"), plan(rows), SMALL);
    expect(found.candidate).toMatchObject({ rule: "plan", choices: [{}, {}] });
  });

  it("does not go on in a row whose first word had room above", async () => {
    const rows = [...plan(1), " one", " two", " three", " four"];
    expect((await detectOn(shippedAdapter("claude"), rows, SMALL)).candidate?.rule).not.toBe("plan");
  });
});
