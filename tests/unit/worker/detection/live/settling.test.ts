/**
 * A prompt is raised once or not at all in each of the ways in which it can be drawn, erased or drawn again, and within a bound
 * after its last change.
 */
import { describe, expect, it } from "vitest";
import type { Signals } from "../../../../../src/sdk/view.js";
import { bashDialog, drawBytes, composer, WORKING } from "../screens.js";
import { Session } from "../session.js";

const TUI = { alternate: true, cursorHidden: true } as const;
/** A prompt must be raised this soon after its last change that means something. */
const RAISED_WITHIN_MS = 150;

function dialog(command = "rm -rf build"): string {
  const { rows, cursor } = bashDialog({ command });
  return drawBytes(rows, { ...TUI, cursor });
}

function working(): string {
  return drawBytes(composer(WORKING, ["some text"]), { ...TUI, cursor: [2, 2] });
}

interface Kind {
  readonly tool: string;
  readonly signals: Signals;
  /** A question, and another one in other words. */
  readonly asks: string;
  readonly asksElse: string;
  /** What the tool draws once it was answered, before it asks again. */
  readonly goesOn: string;
  readonly type: string;
}

const LINE: Kind = {
  tool: "generic",
  signals: { canonical: true, echo: true, blockedOnRead: true, foreground: "setup" },
  asks: "Overwrite it? (y/n) ",
  asksElse: "Continue? (y/n) ",
  goesOn: "y\r\n",
  type: "yes_no",
};

/** A prompt library: it reads keys, draws its question anew, and leaves the answered one standing. */
function drawn(question: string): string {
  return `\u001b[?25l\u001b[32m?\u001b[0m \u001b[1m${question}\u001b[0m\r\n\u001b[36m❯ Vue\u001b[0m\r\n  React\r\n  Svelte\r\n`;
}
const LIBRARY: Kind = {
  tool: "generic",
  signals: { canonical: false, echo: false, foreground: "node" },
  asks: drawn("Which framework?"),
  asksElse: drawn("Which tests?"),
  goesOn: "\u001b[4A\u001b[J\u001b[32m✔\u001b[0m \u001b[1mAnswered:\u001b[0m Vue\r\n",
  type: "multiple_choice",
};

const DIALOG: Kind = {
  tool: "claude",
  signals: {},
  asks: dialog(),
  asksElse: dialog("npm test"),
  goesOn: working(),
  type: "multiple_choice",
};

const KINDS = [
  ["a line", LINE],
  ["a prompt library's list", LIBRARY],
  ["an agent's dialog", DIALOG],
] as const;

function begin({ tool, signals }: Kind): Session {
  const session = new Session(tool);
  session.signals = signals;
  return session;
}

async function answered(kind: Kind): Promise<Session> {
  const session = begin(kind);
  (await session.draw(kind.asks)).wait(1000);
  expect(session.prompts).toEqual([`raise ${kind.type}`]);
  return session.answer();
}

describe.each(KINDS)("%s", (_, kind) => {
  const once = ["raise", "withdraw answered_by_us", "raise"];
  const kinds = (session: Session): string[] =>
    session.prompts.map((line) => line.replace(/^raise .+/, "raise"));

  it.each([0, 50, 100, 400])("shown %i ms after our answer is raised exactly once", async (ms) => {
    const session = await answered(kind);
    (await session.draw(kind.goesOn)).wait(ms);
    (await session.draw(kind.asksElse)).wait(3000);
    expect(kinds(session)).toEqual(once);
  });

  it.each([0, 50, 100, 400])(
    "asked again in the same words %i ms after our answer is a new prompt, raised once",
    async (ms) => {
      const session = await answered(kind);
      (await session.draw(kind.goesOn)).wait(ms);
      (await session.draw(kind.asks)).wait(3000);
      expect(kinds(session)).toEqual(once);
    },
  );

  it("that is erased before it was still is not raised", async () => {
    const session = begin(kind);
    (await session.draw(kind.asks)).wait(60);
    (await session.draw("\u001b[2J\u001b[H")).wait(3000);
    expect(session.prompts).toEqual([]);
  });

  it("drawn in pieces with pauses between is raised once, and whole", async () => {
    const session = begin(kind);
    const size = Math.ceil(kind.asks.length / 5);
    for (let at = 0; at < kind.asks.length; at += size) {
      (await session.draw(kind.asks.slice(at, at + size))).wait(40);
    }
    session.wait(1000);
    expect(session.prompts).toEqual([`raise ${kind.type}`]);
    const { content, choices } = session.detector.pending?.candidate ?? {};
    const whole = begin(kind);
    (await whole.draw(kind.asks)).wait(1000);
    expect({ content, choices }).toEqual({
      content: whole.detector.pending?.candidate.content,
      choices: whole.detector.pending?.candidate.choices,
    });
  });

  it("is withdrawn when the tool takes it back, once", async () => {
    const session = begin(kind);
    (await session.draw(kind.asks)).wait(1000);
    (await session.draw("\u001b[2J\u001b[H")).wait(3000);
    expect(session.prompts).toEqual([`raise ${kind.type}`, "withdraw left_screen"]);
  });

  it("that is drawn anew again and again stays the same", async () => {
    const session = begin(kind);
    const again = kind === LINE ? `\r${kind.asks}` : kind === LIBRARY ? `\u001b[4A${kind.asks}` : kind.asks;
    (await session.draw(kind.asks)).wait(1000);
    for (let turn = 0; turn < 20; turn++) (await session.draw(again)).wait(130);
    expect(session.prompts).toEqual([`raise ${kind.type}`]);
  });

  it("that blinks out for a moment stays the same, unless a program printed it anew on an erased screen", async () => {
    const session = begin(kind);
    (await session.draw(kind.asks)).wait(1000);
    await session.draw("\u001b[2J\u001b[H");
    session.wait(15);
    (await session.draw(kind.asks)).wait(1000);
    const anew = kind === LINE ? ["withdraw superseded", `raise ${kind.type}`] : [];
    expect(session.prompts).toEqual([`raise ${kind.type}`, ...anew]);
  });
});

describe("a dialog that scrolls", () => {
  it("up and down with what is written above it stays the same", async () => {
    const session = begin(LIBRARY);
    (await session.draw(LIBRARY.asks)).wait(500);
    for (let row = 0; row < 30; row++) {
      // The library clears its question, writes a line above, and asks below it.
      (await session.draw(`\u001b[4A\u001b[JA line about step ${row}\r\n${LIBRARY.asks}`)).wait(200);
    }
    expect(session.prompts).toEqual(["raise multiple_choice"]);
  });
});

describe("a prompt is raised soon", () => {
  const dot = (on: boolean): string => `\u001b7\u001b[1;1H${on ? "●" : " "}\u001b8`;

  it.each([7, 16, 33, 50, 90, 110])("while a dot above it blinks every %i ms", async (everyMs) => {
    const session = begin(DIALOG);
    for (let at = 0; at < 500; at += everyMs) (await session.draw(dot(at % 2 === 0))).wait(everyMs);
    await session.draw(DIALOG.asks);
    const drawnAt = session.clock.monotonic();
    for (let at = 0; at < 1000; at += everyMs) {
      session.wait(everyMs);
      await session.draw(dot(at % 2 === 0));
    }
    expect(session.prompts).toEqual(["raise multiple_choice"]);
    expect((session.raisedAt[0] ?? Infinity) - drawnAt).toBeLessThanOrEqual(RAISED_WITHIN_MS);
  });

  it("while a clock ticks beside the box that asks", async () => {
    const session = begin(LIBRARY);
    const box = [
      "┌──────────────────┐",
      "│ Delete the disk? │",
      "│                  │",
      "│  <Yes>    <No>   │",
      "└──────────────────┘",
    ];
    const rows = box.map((row, index) => `\u001b[${5 + index};10H${row}`).join("");
    await session.draw(`\u001b[?1049h${rows}\u001b[8;14H`);
    const drawnAt = session.clock.monotonic();
    for (let tick = 0; tick < 60; tick++) {
      (await session.draw(`\u001b7\u001b[8;60H12:00:${String(tick).padStart(2, "0")}\u001b8`)).wait(20);
    }
    expect(session.prompts).toEqual(["raise yes_no"]);
    expect((session.raisedAt[0] ?? Infinity) - drawnAt).toBeLessThanOrEqual(RAISED_WITHIN_MS);
  });

  it("with nothing moving, well within the bound", async () => {
    for (const kind of [DIALOG, LIBRARY, LINE]) {
      const session = begin(kind);
      (await session.draw(kind.asks)).wait(2000);
      expect(session.raisedAt[0]).toBeLessThanOrEqual(RAISED_WITHIN_MS);
    }
  });
});
