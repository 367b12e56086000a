/**
 * A session with an agent keeps its whole screen readable: the input line tears no row of an answer, keeps what is typed, is
 * drawn again at a new width, and is taken away at the end. A change and the end of its question are each shown once.
 */
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { HubHome, MAIN } from "../support/hub-home.js";
import { KEYS, RealTerminal, type TerminalSize } from "../support/real-cli/terminal.js";

const AGENT = resolve("tests/fixtures/agents/acp-agent.mjs");
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const CHOICES = [
  "  1. Always allow",
  "  2. Allow",
  "  3. Reject",
  "  Type its number; Ctrl-C stops the turn",
];
const IDLE = /^› *$/m;

interface Talk {
  readonly terminal: RealTerminal;
  /** A file of the agent's; see `mutter`. */
  readonly go: () => void;
  /** What stands on the screen below the session's introduction, and when it does. */
  readonly shows: (...rows: string[]) => Promise<void>;
  readonly task: (text: string) => void;
}

const talkWith = (...agent: string[]): string[] => [
  process.execPath,
  MAIN,
  "run",
  "--no-relay",
  "--runtime",
  "acp",
  ...agent,
];

/** A session with the scripted agent, alone in a terminal and ready for a task; or whatever is started instead. */
async function withTalk(size: TerminalSize, test: (talk: Talk) => Promise<void>, instead?: string[]) {
  const home = new HubHome();
  const log = join(home.folder, "noted");
  const [file = "", ...args] = instead ?? talkWith(process.execPath, AGENT, "tasks", log);
  const env = { ...home.env, TERM: "xterm-256color" };
  const terminal = new RealTerminal({ file, args, cwd: home.folder, env }, size);
  const below = (screen: string): string =>
    screen
      .replace(/^[^]*?\(:help[^\n]*\n/, "")
      .replace(/ +$/gm, "")
      .trimEnd();
  try {
    if (!instead) await terminal.waitFor(IDLE);
    await test({
      terminal,
      go: () => writeFileSync(`${log}.go`, ""),
      shows: async (...rows) => {
        const wanted = rows.join("\n");
        await terminal
          .waitUntil((screen) => below(screen) === wanted, "the screen")
          .catch(() => expect(below(terminal.screen)).toBe(wanted));
      },
      task: (text) => terminal.press(`${text}${KEYS.enter}`),
    });
  } finally {
    await terminal.close();
    await home.close();
  }
}

describe("the whole screen of a session with an agent", () => {
  it("keeps every row of an answer, also the row right above the input line", () =>
    withTalk({ cols: 100, rows: 30 }, async ({ task, shows }) => {
      const row = "x".repeat(100);
      const shown = ["› say hello there", "hello there"];
      task("say hello there");
      await shows(...shown, "›");
      task("big 250");
      await shows(...shown, "› big 250", row, row, row.slice(50), "›");
      task("big 200");
      await shows(...shown, "› big 250", row, row, row.slice(50), "› big 200", row, row, "›");
    }));

  it("puts what the agent says meanwhile above a task that is being typed, and draws that once", () =>
    withTalk({ cols: 80, rows: 24 }, async ({ terminal, task, go, shows }) => {
      const draft = `typing ${"0123456789".repeat(9)}`;
      const rows = [`› ${draft.slice(0, 78)}`, draft.slice(78)];
      const asked = "› mutter first half,|second half/next comes|a line/";
      task("mutter first half,|second half/next comes|a line/");
      await shows(asked, "›");
      terminal.press(draft);
      await shows(asked, ...rows);
      go();
      await shows(asked, "first half,", ...rows);
      go();
      await shows(asked, "first half,", "second half", "next comes", ...rows);
      go();
      await shows(asked, "first half,", "second half", "next comes", "a line", ...rows);
    }));

  it("draws a long task anew when the window gets another width, and takes all of it away on Ctrl-C", () =>
    withTalk({ cols: 80, rows: 24 }, async ({ terminal, task, shows }) => {
      const draft = `typing ${"0123456789".repeat(9)}`;
      task("say hello");
      await shows("› say hello", "hello", "›");
      terminal.press(draft);
      await shows("› say hello", "hello", `› ${draft.slice(0, 78)}`, draft.slice(78));
      terminal.resize({ cols: 50, rows: 24 });
      await shows("› say hello", "hello", `› ${draft.slice(0, 48)}`, draft.slice(48));
      terminal.press(CTRL_C);
      await shows("› say hello", "hello", "›");
    }));

  it("keeps what is typed while the agent works for the next line, and Ctrl-D then ends nothing", () =>
    withTalk({ cols: 100, rows: 24 }, async ({ terminal, task, shows }) => {
      const atWork = "(It is still at work: Ctrl-C stops it, then Ctrl-D ends the session)";
      task("wait");
      await shows("› wait");
      terminal.press("typed while busy");
      terminal.press(CTRL_D);
      await shows("› wait", atWork);
      terminal.press(KEYS.esc);
      await shows("› wait", atWork, "Cancelled.", "› typed while busy");
    }));

  it("says that it waits for an agent that does not start, and ends that on the first Ctrl-C", () =>
    withTalk(
      { cols: 100, rows: 24 },
      async ({ terminal }) => {
        await terminal.waitFor(/^\(The agent starts\. Ctrl-C ends it\)$/m);
        terminal.press(CTRL_C);
        expect(await terminal.exited).toBe(130);
        expect(terminal.screen).not.toContain("sign in");
      },
      talkWith("sh", "-c", "exec sleep 1000"),
    ));

  it("says at once which question was answered, of two that wait", () =>
    withTalk({ cols: 60, rows: 24 }, async ({ terminal, task, shows }) => {
      const asked = (id: string) => [`? run ${id}`, `  ${id}`, "", ...CHOICES];
      task("ask-two");
      await shows("› ask-two", ...asked("first"), "answer ›");
      await terminal.settled();
      terminal.press("2");
      await terminal.waitFor(/^answer › 2$/m);
      terminal.press(KEYS.enter);
      const first = ["› ask-two", ...asked("first"), "answer › 2", "→ Allow: run first"];
      await shows(...first, ...asked("second"), "answer ›");
      await terminal.settled();
      terminal.press("3");
      await terminal.waitFor(/^answer › 3$/m);
      terminal.press(KEYS.enter);
      await shows(...first, ...asked("second"), "answer › 3", "→ Reject: run second", "›");
    }));

  it("shows a change once, whole with its question, and says that the question is cancelled", () =>
    withTalk({ cols: 45, rows: 20 }, async ({ terminal, task, shows }) => {
      const asked = [
        "› edit",
        "● run edit-1",
        "? run edit-1",
        "  /src/a.ts",
        "   one",
        "  -two",
        "  +2",
        "",
        "  edit-1",
        "",
        ...CHOICES,
      ];
      task("edit");
      await shows(...asked, "answer ›");
      terminal.press(KEYS.esc);
      await shows(...asked, "→ cancelled: run edit-1", "Cancelled.", "›");
    }));

  it("takes a long task away before it is stopped, and draws it anew below the shell's words", () => {
    const script = `PS1='$ '; ${talkWith(process.execPath, AGENT, "tasks").join(" ")}\n`;
    return withTalk(
      { cols: 80, rows: 24 },
      async ({ terminal }) => {
        const draft = `typing ${"0123456789".repeat(9)}`;
        const drawn = `› ${draft.slice(0, 78)}\n${draft.slice(78)}`;
        terminal.press(script);
        await terminal.waitFor(IDLE);
        terminal.press(draft);
        await terminal.waitUntil((screen) => screen.includes(drawn), "the draft");
        terminal.press("\u001a");
        await terminal.waitFor(/\(:help[^\n]*\n\n?\[1\]\+ +Stopped[^]*^\$ *$/m);
        terminal.press(`fg${KEYS.enter}`);
        await terminal.waitUntil((screen) => screen.includes(drawn), "the draft again");
        expect(terminal.screen).toMatch(/^\$ fg\n/m);
        expect(terminal.screen.split("› ")).toHaveLength(2);
      },
      ["bash", "--norc", "-i"],
    );
  });

  it("takes the input line away before the farewell", () =>
    withTalk({ cols: 400, rows: 24 }, async ({ terminal }) => {
      terminal.press(CTRL_D);
      expect(await terminal.exited).toBe(0);
      expect(terminal.screen).toMatch(/^To resume: atlasbridge run --runtime acp --session session-1 /m);
    }));
});
