/** A line that no rule describes stays open while somebody types behind it, and is answered by Enter at the terminal. */
import { describe, expect, it } from "vitest";
import type { Signals } from "../../../../../src/sdk/view.js";
import { detectOn, shippedAdapter } from "../screens.js";
import { Session } from "../session.js";

const QUESTION = "Give me the thing now";

async function asked(): Promise<Session> {
  const session = new Session("generic");
  session.signals = { canonical: true, echo: true, blockedOnRead: true, foreground: "ask.sh" };
  (await session.draw(`Welcome.\r\n${QUESTION}`)).wait(3000);
  expect(session.prompts).toEqual(["raise unknown"]);
  return session;
}

/** A key, its echo, and time to think. */
async function slowly(session: Session, keys: string): Promise<void> {
  for (const key of keys) (await session.type(key).draw(key)).wait(5000);
}

describe("an unread line", () => {
  it("is answered at the terminal by its Enter, and stays asked while somebody types", async () => {
    const session = await asked();
    await slowly(session, "the red one");
    expect(session.prompts).toEqual(["raise unknown"]);
    (await session.type("\r").draw("\r\ngot it\r\n")).wait(3000);
    expect(session.prompts).toEqual(["raise unknown", "withdraw answered_locally"]);
  });

  it("is answered when its answer and Enter are read at two times", async () => {
    const session = await asked();
    (await session.type("me").draw("me")).wait(200);
    (await session.type("\r").draw("\r\n")).wait(200);
    expect(session.prompts).toEqual(["raise unknown", "withdraw answered_locally"]);
  });

  it("on which somebody began and typed no more stays asked", async () => {
    const session = await asked();
    await slowly(session, "th");
    session.wait(60_000);
    expect(session.prompts).toEqual(["raise unknown"]);
  });

  it("below an answered one is raised as soon as any other", async () => {
    const session = await asked();
    (await session.type("me\r").draw("me\r\n")).wait(200);
    (await session.draw("And now the other thing")).wait(2500);
    expect(session.prompts).toEqual(["raise unknown", "withdraw answered_locally", "raise unknown"]);
  });
});

describe("a line that a program edits itself", () => {
  const RAW: Signals = { canonical: false, echo: false, foreground: "ask.py" };

  async function raisedOn(text: string, signals: Signals): Promise<readonly string[]> {
    const session = new Session("generic");
    session.signals = signals;
    (await session.draw(`Welcome.\r\n${text}`)).wait(6000);
    return session.prompts;
  }

  it.each([
    ["Project name - ", RAW],
    ["Project name -", { ...RAW, blockedOnRead: true }],
    ["\u001b[?2004hProject name -", RAW],
  ])("is raised: %j", async (text, signals) => {
    expect(await raisedOn(text, signals)).toEqual(["raise unknown"]);
  });

  it("takes text, and a screen whose program declares that it is blocked takes keys", async () => {
    const detect = async (rows: readonly string[], signals: Signals) =>
      (await detectOn(shippedAdapter("generic"), rows, { signals })).candidate?.constraints.keys ?? [];
    expect(await detect(["Project name - "], RAW)).not.toContainEqual({ key: "down" });
    const declared = { ...RAW, blockedOnRead: true, declared: { state: "blocked" } } as const;
    expect(await detect(["Take it", "", "Yes  No", ""], declared)).toContainEqual({ key: "down" });
  });

  it.each([
    ["the command line of a shell", "Project name - ", { ...RAW, foreground: "zsh" }],
    ["the command line of an interpreter", "Project name - ", { ...RAW, foreground: "python3" }],
    ["a program that shows how far it is", "Building 45%", RAW],
    ["a hidden cursor", "\u001b[?25lBuilding the thing ", RAW],
    ["a program that does not read", "Project name - ", { ...RAW, blockedOnRead: false }],
    ["a pager", "Project name - ", { ...RAW, foreground: "less" }],
  ])("is not raised: %s", async (_, text, signals) => {
    expect(await raisedOn(text, signals)).toEqual([]);
  });
});

describe("a line prompt in a window that becomes narrower or wider", () => {
  it.each([
    [30, "Are you really sure that the volumes pg-data shall be deleted? [y/N] "],
    [120, `${"x".repeat(60)} and the volumes pg-data shall be deleted? [y/N] `],
  ])("is the same prompt: %i columns", async (cols, question) => {
    const session = new Session("generic");
    session.signals = { canonical: true, echo: true, blockedOnRead: true, foreground: "ask.sh" };
    (await session.draw(question)).wait(1000);
    expect(session.prompts).toEqual(["raise yes_no"]);
    session.screen.resize({ cols, rows: 24 });
    session.wait(5000);
    expect(session.prompts).toEqual(["raise yes_no"]);
  });
});
