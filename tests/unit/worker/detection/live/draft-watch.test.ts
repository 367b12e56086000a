/**
 * A prompt on a line stays open while somebody types behind it without Enter, and counts as answered only after a key that
 * submits the line.
 */
import { describe, expect, it } from "vitest";
import type { Signals } from "../../../../../src/sdk/view.js";
import { Session } from "../session.js";

const QUESTION = "Deploy to production? [y/N] ";
const COOKED: Signals = { canonical: true, echo: true, blockedOnRead: true };
/** Longer than any doubt about what is drawn. */
const LONG_MS = 5000;

async function asked(signals = COOKED, before = "Build done.\r\n"): Promise<Session> {
  const session = new Session("generic");
  session.signals = signals;
  (await session.draw(before + QUESTION)).wait(LONG_MS);
  expect(session.prompts).toEqual(["raise yes_no"]);
  return session;
}

/** A key and what the kernel shows of it. While the tool draws, nothing is known of its terminal. */
async function key(session: Session, input: string, echo = input): Promise<void> {
  const { signals } = session;
  session.type(input).signals = { ttyDue: true };
  (await session.draw(echo)).wait(200);
  session.signals = signals;
  session.detector.look();
  session.wait(LONG_MS);
}

describe("a question on a line whose terminal ends lines with Enter", () => {
  it.each([
    ["Esc", "\u001b", "^["],
    ["Left", "\u001b[D", "^[[D"],
    ["a wrong letter", "x", "x"],
    ["an answer", "y", "y"],
    ["blanks", "  ", "  "],
    ["more than its row holds", "no ".repeat(40), "no ".repeat(40)],
  ])("stays asked after %s without Enter, as what somebody types behind", async (_, input, echo) => {
    const session = await asked();
    const before = session.detector.detectNow();
    await key(session, input, echo);
    expect(session.prompts).toEqual(["raise yes_no"]);
    expect(session.detector.toolState).toBe("waiting");
    const now = session.detector.detectNow();
    expect(now).toMatchObject({ fingerprint: before?.fingerprint, hasDraft: true });
  });

  it("is unchanged once that text is erased", async () => {
    const session = await asked();
    await key(session, "x");
    await key(session, "\u007f", "\b \b");
    expect(session.prompts).toEqual(["raise yes_no"]);
    expect(session.detector.detectNow()?.hasDraft).toBeUndefined();
  });

  it.each([
    ["Enter", "\r"],
    ["^J", "\n"],
  ])("is answered by %s", async (_, end) => {
    const session = await asked();
    await key(session, "y");
    await key(session, end, "\r\nDeploying.\r\n");
    expect(session.prompts).toEqual(["raise yes_no", "withdraw answered_locally"]);
  });

  it("is answered by ^D, which shows nothing", async () => {
    const session = await asked();
    await key(session, "\u0004", "\r\nDeploying.\r\n");
    expect(session.prompts).toEqual(["raise yes_no", "withdraw answered_locally"]);
  });

  it.each([
    ["after a letter", "y", "y"],
    ["after Esc", "\u001b", "^["],
  ])("was not answered when the tool goes on by itself %s", async (_, input, echo) => {
    const session = await asked();
    await key(session, input, echo);
    (await session.draw("\r\nNobody answered in time.\r\n")).wait(LONG_MS);
    expect(session.prompts).toEqual(["raise yes_no", "withdraw left_screen"]);
  });

  it("is gone when the tool writes on behind it and works", async () => {
    const session = await asked();
    await key(session, "x");
    await session.draw(" skipped, working");
    session.signals = { canonical: true, echo: true, blockedOnRead: false };
    session.wait(LONG_MS);
    expect(session.prompts).toEqual(["raise yes_no", "withdraw left_screen"]);
  });

  it("is another question when what stands above it is drawn anew", async () => {
    const session = await asked();
    await key(session, "x");
    (await session.draw("\u001b7\u001b[1;1HTests done. \u001b8")).wait(LONG_MS);
    expect(session.prompts).toEqual(["raise yes_no", "withdraw superseded"]);
  });

  it("is not confused with another one that the tool draws in its place without a key", async () => {
    const session = await asked();
    (await session.draw("really? ")).wait(LONG_MS);
    expect(session.prompts).toEqual(["raise yes_no", "withdraw superseded", "raise free_text"]);
  });

  it("stays asked in a terminal that becomes narrower", async () => {
    const session = await asked();
    await key(session, "yes, but wait");
    session.screen.resize({ cols: 30, rows: 24 });
    session.detector.onResized();
    await session.screen.flushed();
    session.wait(LONG_MS);
    expect(session.prompts).toEqual(["raise yes_no"]);
  });
});

describe("a question on a line whose tool", () => {
  it("reads single keys is answered by one", async () => {
    const session = await asked({ canonical: false, echo: true, blockedOnRead: true });
    await key(session, "y");
    expect(session.prompts).toEqual(["raise yes_no", "withdraw answered_locally"]);
  });

  it("may read single keys has a prompt whose answer is unknown", async () => {
    const session = await asked({});
    await key(session, "y", "y\r\nDeploying.\r\n");
    expect(session.prompts).toEqual(["raise yes_no", "withdraw left_screen"]);
  });
});

describe("what somebody types before the question, without Enter", () => {
  async function askedAfter(input: string, signals = COOKED, canonical?: boolean): Promise<boolean> {
    const session = new Session("generic");
    session.signals = signals;
    (await session.draw("working\r\n")).wait(LONG_MS);
    session.type(input, canonical);
    session.signals = COOKED;
    (await session.draw(`${input}\r\n${QUESTION}`)).wait(LONG_MS);
    expect(session.prompts).toEqual(["raise yes_no"]);
    return session.detector.detectNow()?.hasDraft === true;
  }

  it.each([
    ["a letter", "y", true],
    ["two letters of which one is erased", "yn\u007f", true],
    ["a letter that is erased", "y\u007f", false],
    ["a line with its Enter", "y\r", false],
    ["a line that ^U drops", "yes\u0015", false],
  ])("is a draft of the answer: %s", async (_, input, isDraft) => {
    expect(await askedAfter(input)).toBe(isDraft);
  });

  it("is none where the program read keys", async () => {
    expect(await askedAfter("y", { canonical: false, echo: false })).toBe(false);
  });

  it.each([
    ["lines", true, true],
    ["keys", false, false],
  ])("counts by the mode at the key, though no look has read it: %s", async (_, canonical, isDraft) => {
    expect(await askedAfter("y", { ttyDue: true }, canonical)).toBe(isDraft);
  });
});
