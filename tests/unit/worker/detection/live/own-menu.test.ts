/** A menu in which somebody sets something is not asked about, whatever is known of the keys before it, unless a key from afar opened it. */
import { describe, expect, it } from "vitest";
import { drawBytes } from "../screens.js";
import { Session } from "../session.js";

const DRAWN = { alternate: true, cursorHidden: true };
const CODEX_BOX = drawBytes(["› \u001b[2mAsk Codex to do anything\u001b[0m", "", "  model · ~/proj"], {
  alternate: true,
  cursor: [2, 0],
});
const ROWS = ["› 1. Fast", "  2. Thorough", "", "  enter choose · esc later"];
const menu = (...above: readonly string[]): string => drawBytes([...above, "", ...ROWS], DRAWN);
const SETTING = menu("  Select Model and Effort");

/** Long after its last key codex showed its input box, and then this. */
async function showLate(screen: string): Promise<Session> {
  const session = await new Session("codex").draw(CODEX_BOX);
  session.wait(1000).type("x").wait(15_000);
  return (await session.draw(screen)).wait(130_000);
}

describe("a menu with the title of a setting", () => {
  it("is not asked about, however long after a key it comes", async () => {
    expect((await showLate(SETTING)).prompts).toEqual([]);
    expect((await showLate(menu("  > Settings   Status   Stats"))).prompts).toEqual([]);
    expect((await showLate(menu("  Resume a previous session"))).prompts).toEqual([]);
    expect((await showLate(menu("  ⌕ Search…"))).prompts).toEqual([]);
  });

  it("is not asked about after a slow command, during which the tool was seen working", async () => {
    const session = await new Session("codex").draw(CODEX_BOX);
    session.wait(1000).type("/model\r").wait(100);
    session.signals = { declared: { state: "working" } };
    (await session.draw(CODEX_BOX)).wait(1000);
    session.signals = {};
    expect((await session.draw(SETTING)).wait(130_000).prompts).toEqual([]);
  });

  it("is asked about after two minutes where the tool has worked on for long after the last key", async () => {
    const session = await new Session("codex").draw(CODEX_BOX);
    session.wait(1000).type("x").wait(100);
    session.signals = { declared: { state: "working" } };
    (await session.draw(CODEX_BOX)).wait(300_000);
    (await session.draw(CODEX_BOX.replace("proj", "work"))).wait(1000);
    session.signals = {};
    expect((await session.draw(SETTING)).wait(130_000).prompts).toEqual(["raise multiple_choice"]);
  });

  it("is asked about where it asks: with a question, or with an answer among its rows", async () => {
    const asking = menu("  Settings", "  May it use the network?");
    expect((await showLate(asking)).prompts).toEqual(["raise multiple_choice"]);
    const answers = drawBytes(["  Permissions", "", "› 1. Allow", "  2. Deny", "", "  enter choose"], DRAWN);
    expect((await showLate(answers)).prompts).toEqual(["raise multiple_choice"]);
  });

  it("is asked about where a key from afar opened it", async () => {
    const session = await new Session("codex").draw(CODEX_BOX);
    session.wait(1000).type("x").wait(1000);
    session.detector.onScreenKey();
    expect((await session.draw(SETTING)).wait(6000).prompts).toEqual(["raise multiple_choice"]);
  });

  it("is asked about after two minutes where it is all that was seen of the session", async () => {
    const session = await new Session("codex").draw(SETTING);
    expect(session.wait(119_000).prompts).toEqual([]);
    expect(session.wait(2000).prompts).toEqual(["raise multiple_choice"]);
    const joined = await new Session("codex").draw(SETTING);
    expect(joined.wait(5000).type("\u001b[B").wait(130_000).prompts).toEqual([]);
  });
});

describe("a menu below the command that opens it", () => {
  it("is not asked about, though nothing else was seen of the session", async () => {
    const session = await new Session("codex").draw(menu("› /depth", "", "  How much of it"));
    expect(session.wait(130_000).prompts).toEqual([]);
  });

  it("is asked about where the tool has said or done something since, or another message came", async () => {
    for (const rows of [
      ["› /depth", "", "• Ran a check", "", "  How much of it"],
      ["› /depth", "", "› tidy up", "", "  How much of it"],
    ])
      expect((await new Session("codex").draw(menu(...rows))).wait(2000).prompts).toEqual([
        "raise multiple_choice",
      ]);
  });
});

describe("a list without such words, soon after a key while the tool was idle", () => {
  const showAfter = async (keys: string): Promise<Session> => {
    const session = await new Session("codex").draw(CODEX_BOX);
    session.wait(1000).type(keys).wait(12_000);
    const rows = [
      "  How much of it there is",
      "",
      ...ROWS.slice(0, 3),
      "  Choose with return, leave with escape",
    ];
    return (await session.draw(drawBytes(rows, DRAWN))).wait(55_000);
  };

  it("is never asked about after a command or another key, and late after what may be a task", async () => {
    expect((await showAfter("/depth\r")).prompts).toEqual([]);
    expect((await showAfter("\u0012")).prompts).toEqual([]);
    expect((await showAfter("continue\r")).prompts).toEqual(["raise multiple_choice"]);
  });
});
