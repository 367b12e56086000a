/**
 * A live session is reported as working, waiting or idle, and a screen that no rule describes is raised only after the stuck
 * timeout, or when the tool says that it waits.
 */
import { describe, expect, it } from "vitest";
import type { Signals } from "../../../../../src/sdk/view.js";
import { bashDialog, drawBytes, composer, IDLE, WORKING } from "../screens.js";
import { Session } from "../session.js";

const TUI = { alternate: true, cursorHidden: true } as const;

function dialogBytes(): string {
  const { rows, cursor } = bashDialog();
  return drawBytes(rows, { ...TUI, cursor });
}

function composerBytes(status: string): string {
  return drawBytes(composer(status, ["some text"]), { ...TUI, cursor: [2, 2] });
}

describe("a live session of claude", () => {
  it("goes from working over a question to idle", async () => {
    const session = new Session("claude");
    (await session.draw(composerBytes(WORKING))).wait(500);
    (await session.draw(dialogBytes())).wait(500);
    expect(session.detector.pending?.candidate.question).toBe("Do you want to proceed?");
    session.type("3").wait(10);
    (await session.draw(composerBytes(IDLE))).wait(500);
    expect(session.log).toEqual([
      "working",
      "raise multiple_choice",
      "waiting",
      "withdraw answered_locally",
      "idle",
    ]);
  });

  it("reports nothing and has no timer while nothing changes", async () => {
    const session = new Session("claude");
    (await session.draw(dialogBytes())).wait(5000);
    expect(session.log).toEqual(["raise multiple_choice", "waiting"]);
    expect(session.clock.pending).toBe(0);
  });

  it("says what the screen asks at this moment, still or not", async () => {
    const session = new Session("claude");
    await session.draw(dialogBytes());
    expect(session.detector.pending).toBeNull();
    expect(session.detector.detectNow()?.rule).toBe("permission");
  });

  it("raises a screen that no rule describes, late", async () => {
    const session = new Session("claude");
    (await session.draw(composerBytes(WORKING))).wait(500);
    await session.draw(drawBytes(["─".repeat(80), " Something quite new", "", " Enter to go on"], TUI));
    expect(session.wait(4000).log).toEqual(["working"]);
    expect(session.wait(2000).log).toEqual(["working", "raise unknown", "waiting"]);
  });

  it("does not raise a screen that the user opened", async () => {
    const session = new Session("claude");
    (await session.draw(composerBytes(IDLE))).wait(500).type("\u000f").wait(40);
    (await session.draw(drawBytes(["the transcript", "", " ctrl+o to close"], TUI))).wait(90_000);
    expect(session.log).toEqual(["idle"]);
  });

  describe("shows a list that no rule describes", () => {
    const LIST = drawBytes(
      ["─".repeat(80), " Deploy it?", "", " ➜ 1. Yes", "   2. No", "", " whatever"],
      TUI,
    );

    it("and raises it with its rows within two seconds, at its start and after it worked", async () => {
      const session = await new Session("claude").draw(LIST);
      expect(session.wait(1400).prompts).toEqual([]);
      expect(session.wait(600).prompts).toEqual(["raise multiple_choice"]);
      const worked = new Session("claude");
      (await worked.draw(composerBytes(IDLE))).wait(500).type("deploy\r");
      (await worked.draw(composerBytes(WORKING))).wait(500);
      expect((await worked.draw(LIST)).wait(2000).prompts).toEqual(["raise multiple_choice"]);
    });

    it("and raises it within a minute, but late, only where a key at the idle input box opened it", async () => {
      const session = new Session("claude");
      (await session.draw(composerBytes(IDLE))).wait(500).type("/deploy\r").wait(640);
      expect((await session.draw(LIST)).wait(49_000).prompts).toEqual([]);
      expect(session.wait(2000).prompts).toEqual(["raise multiple_choice"]);
    });
  });

  it("looks no more after it was stopped", async () => {
    const session = new Session("claude");
    session.detector.stop();
    (await session.draw(dialogBytes())).wait(1000);
    expect(session.log).toEqual([]);
  });
});

describe("a tool that says itself that it waits for somebody", () => {
  const BLOCKED: Signals = { declared: { state: "blocked" } };
  const strange = drawBytes(
    ["─".repeat(80), " Something quite new", " and a line", "", " Enter to go on"],
    TUI,
  );

  it("is raised when no rule describes its screen", async () => {
    const session = new Session("claude");
    session.signals = BLOCKED;
    (await session.draw(strange)).wait(1900);
    expect(session.log).toEqual(["waiting"]);
    expect(session.wait(200).log).toEqual(["waiting", "raise unknown"]);
    expect(session.detector.pending?.candidate.content.text).toContain("and a line");
  });

  it.each([
    ["announced", ["  Waiting for permission…", ...composer(WORKING)]],
    ["held back while somebody types", composer(IDLE, ["some text"])],
  ])("is raised as unread only when a dialog that is %s does not come for a minute", async (_, rows) => {
    const session = new Session("claude");
    session.signals = BLOCKED;
    (await session.draw(drawBytes(rows, TUI))).wait(45_000);
    expect(session.log).toEqual(["waiting"]);
    expect(session.wait(10_000).log).toEqual(["waiting", "raise unknown"]);
  });

  it("is asked about also where its screen came up right after a key, and where the adapter leaves what it cannot read", async () => {
    const session = new Session("demo-agent");
    session.signals = BLOCKED;
    (await session.type("x").draw(strange)).wait(2100);
    expect(session.log).toEqual(["waiting", "raise unknown"]);
    expect(session.detector.pending?.candidate.question).toBe("Something quite new");
  });

  it("is read by its rule where there is one", async () => {
    const session = new Session("claude");
    session.signals = BLOCKED;
    (await session.draw(dialogBytes())).wait(5000);
    expect(session.log).toEqual(["raise multiple_choice", "waiting"]);
  });

  it.each(["working", "idle", "done", "error"] as const)(
    "is asked about while its dialog is drawn, also when something says for it that it is %s",
    async (state) => {
      const session = new Session("claude");
      session.signals = { declared: { state } };
      (await session.draw(dialogBytes())).wait(5000);
      expect(session.log).toContain("raise multiple_choice");
      session.signals = BLOCKED;
      session.wait(1000);
      session.signals = { declared: { state } };
      session.wait(5000);
      expect(session.detector.pending?.candidate.promptType).toBe("multiple_choice");
      expect(session.log.filter((entry) => entry.startsWith("withdraw"))).toEqual([]);
    },
  );

  it("is not asked about any more once it works again", async () => {
    const session = new Session("claude");
    session.signals = BLOCKED;
    (await session.draw(strange)).wait(2100);
    session.signals = { declared: { state: "working" } };
    (await session.draw(composerBytes(WORKING))).wait(1000);
    expect(session.log).toEqual(["waiting", "raise unknown", "withdraw left_screen", "working"]);
  });
});

describe("a live session on plain lines", () => {
  const READING: Signals = { canonical: true, echo: true, blockedOnRead: true };

  it("does not raise what evidence refutes before the time is over", async () => {
    const session = new Session("generic");
    (await session.draw("Waiting for the lock (y/n)? ")).wait(100);
    session.signals = { canonical: true, echo: true, blockedOnRead: false };
    session.detector.look();
    expect(session.wait(5000).log).toEqual(["working"]);
  });

  it("never asks for text where the terminal shows none: it is a password", async () => {
    const session = new Session("generic");
    session.signals = { ...READING, echo: false };
    (await session.draw("Tell me the word")).wait(5000);
    expect(session.log).toEqual(["raise secret", "waiting"]);
  });

  it("takes a line that waits again and again for the program's own prompt", async () => {
    const session = new Session("generic");
    for (let round = 0; round < 4; round++) {
      session.signals = READING;
      (await session.draw("tell me")).wait(3000);
      session.signals = { ...READING, blockedOnRead: false };
      (await session.type("x\r").draw("x\r\nworking\r\n")).wait(500);
    }
    expect(session.log.filter((line) => line.startsWith("raise"))).toEqual([
      "raise unknown",
      "raise unknown",
    ]);
  });
});

describe("the stuck timeout of the configuration", () => {
  const READING: Signals = { canonical: true, echo: true, blockedOnRead: true, foreground: "setup" };

  it.each([
    [500, 600],
    [5000, 5100],
  ])("%i ms: an unread screen is raised then, and not before", async (timeoutMs, later) => {
    const session = new Session("generic", timeoutMs);
    session.signals = READING;
    (await session.draw("Installing.\r\nTell me more")).wait(timeoutMs - 100);
    expect(session.log).not.toContain("raise unknown");
    expect(session.wait(later).log).toContain("raise unknown");
  });
});

describe("a question on a line", () => {
  const ASKING: Signals = { canonical: true, echo: true, blockedOnRead: true, foreground: "setup" };

  it("is another one when the tool gave up and asked in the same words below other lines, all in one piece", async () => {
    const session = new Session("generic");
    session.signals = ASKING;
    (await session.draw("$ ls /safe\r\n\r\nContinue? [y/n] ")).wait(1000);
    const first = session.detector.pending?.epoch ?? -1;
    expect(session.detector.isCurrent(first)).toBe(true);
    await session.draw("\r\n\r\n$ rm -rf /danger\r\n\r\nContinue? [y/n] ");
    expect(session.detector.isCurrent(first)).toBe(false);
    session.wait(1000);
    expect(session.log.filter((line) => line !== "working")).toEqual([
      "raise yes_no",
      "waiting",
      "withdraw superseded",
      "raise yes_no",
    ]);
  });

  it("is the same one when the tool writes it anew on its line", async () => {
    const session = new Session("generic");
    session.signals = ASKING;
    (await session.draw("Continue? [y/n] ")).wait(1000);
    (await session.draw("\rContinue? [y/n] ")).wait(1000);
    expect(session.log.filter((line) => line.startsWith("raise"))).toEqual(["raise yes_no"]);
  });

  const clockAt = (seconds: number): string => `\u001b[H\u001b[2JElapsed ${seconds} s\r\nContinue? [y/n] `;

  it("below a clock makes a card at first, then ever less often, and an old card answers nothing", async () => {
    const session = new Session("generic");
    session.signals = ASKING;
    for (let second = 0; second < 40; second++) {
      (await session.draw(clockAt(second))).wait(1000);
      const { pending } = session.detector;
      if (pending && pending.raised.content.text !== `Elapsed ${second} s\nContinue? [y/n]`)
        expect(session.detector.isCurrent(pending.epoch)).toBe(false);
    }
    const seconds = session.raisedAt.map((at) => Math.floor(at / 1000));
    expect(seconds).toEqual([0, 1, 6, 16, 36]);
    expect(session.prompts.filter((line) => line.startsWith("withdraw"))).toHaveLength(4);
  });

  it("below a clock is another one even where the clock goes back to what the card says", async () => {
    const session = new Session("generic");
    session.signals = ASKING;
    for (const second of [0, 1, 2]) (await session.draw(clockAt(second))).wait(1000);
    (await session.draw(clockAt(1))).wait(1000);
    const { pending } = session.detector;
    expect(pending?.raised.content.text).toContain("Elapsed 1 s");
    expect(session.detector.isCurrent(pending?.epoch ?? -1)).toBe(false);
    expect(session.wait(5000).raisedAt).toHaveLength(3);
    expect(session.detector.isCurrent(session.detector.pending?.epoch ?? -1)).toBe(true);
  });

  it("is raised below rows that never rest", async () => {
    const session = new Session("generic");
    session.signals = ASKING;
    for (let tick = 0; tick < 30; tick++)
      (await session.draw(`\u001b7\u001b[1;1HLoading ${"|/-\\"[tick % 4]}\r\nContinue? [y/n] `)).wait(50);
    expect(session.prompts[0]).toBe("raise yes_no");
  });

  it("is raised at once when it comes after an answer, however often", async () => {
    const session = new Session("generic");
    session.signals = ASKING;
    for (let file = 0; file < 6; file++) {
      (await session.draw(`\u001b[H\u001b[2JDelete file ${file}\r\nContinue? [y/n] `)).wait(1000);
      session.answer();
    }
    expect(session.raisedAt.map((at) => Math.floor(at / 1000))).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
