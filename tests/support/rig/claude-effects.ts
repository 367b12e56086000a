/** What each row of each dialog does in the real claude: seen in files, on the screen, and in what reaches the model. */
import { expect } from "vitest";
import { WORDS } from "./claude-dialogs.js";
import { type ClaudeSession, INPUT_BOX } from "./claude-session.js";
import { waitFor } from "../wait-for.js";

export type Effect = (session: ClaudeSession) => Promise<void>;
type Check = (session: ClaudeSession) => void | Promise<void>;

const REMEMBERS_WITHIN_MS = 10_000;
const SETTINGS = ".claude/settings.local.json";
const EDITED = 'input("Continue? (y/n) ")';

/** The call was carried out, and this is to be seen of it. */
function allowed(check: Check = () => undefined): Effect {
  return async (session) => {
    await session.finished();
    expect(session.results.at(-1)).toMatchObject({ isError: false });
    await check(session);
  };
}

function denied(check: Check): Effect {
  return async (session) => {
    await session.talkOn();
    expect(session.results.at(-1)).toMatchObject({ isError: true });
    await check(session);
  };
}

function shows(mode: RegExp): Check {
  return ({ terminal }) => expect(terminal.screen).toMatch(mode);
}

function both(first: Check, second: Check): Check {
  return async (session) => {
    await first(session);
    await second(session);
  };
}

const ranOnce = (session: ClaudeSession): void => expect(session.timesRun).toBe(1);
const neverRan = (session: ClaudeSession): void => expect(session.timesRun).toBe(0);
const fileMade = (session: ClaudeSession): void =>
  expect(session.read("src/new-file.ts")).toContain("answer = 42");
const noFile = (session: ClaudeSession): void => expect(session.read("src/new-file.ts")).toBe("");
const edited = (session: ClaudeSession): void => expect(session.read("app.py")).toContain(EDITED);
const unedited = (session: ClaudeSession): void => expect(session.read("app.py")).not.toContain(EDITED);
/** Claude writes its settings when it comes to it. */
const remembers =
  (rule: string) =>
  (session: ClaudeSession): Promise<void> =>
    waitFor(() => expect(session.read(SETTINGS)).toContain(rule), REMEMBERS_WITHIN_MS);
const says =
  (text: string | RegExp) =>
  (session: ClaudeSession): void =>
    expect(session.results.at(-1)?.text).toMatch(text);

/** An approved fetch ends in a network error here: `.invalid` has no address. A refused one never gets so far. */
const fetched: Effect = async (session) => {
  await session.finished();
  says(/ENOTFOUND|EAI_AGAIN|getaddrinfo/)(session);
};

const answeredWith = (label: string): Effect => allowed(says(label));

export const EFFECTS: Readonly<Record<string, readonly Effect[]>> = {
  bash: [
    allowed(ranOnce),
    allowed(both(ranOnce, remembers("Bash(mktemp *)"))),
    allowed(both(ranOnce, shows(/auto mode on/))),
    denied(neverRan),
  ],
  "bash-long": [allowed(ranOnce), allowed(both(ranOnce, shows(/auto mode on/))), denied(neverRan)],
  write: [allowed(fileMade), allowed(both(fileMade, shows(/accept edits on/))), denied(noFile)],
  edit: [allowed(edited), allowed(both(edited, shows(/accept edits on/))), denied(unedited)],
  webfetch: [
    fetched,
    async (session) => {
      await fetched(session);
      await remembers("WebFetch(domain:docs.example.invalid)")(session);
    },
    denied(says(/reject|doesn't want/)),
  ],
  mcp: [
    allowed(says("deployed")),
    allowed(both(says("deployed"), remembers("mcp__ops__deploy"))),
    denied(says(/reject|doesn't want/)),
  ],
  ask: [
    answeredWith("PostgreSQL"),
    answeredWith("SQLite"),
    answeredWith("MongoDB"),
    answeredWith(WORDS),
    async (session) => {
      await session.finished();
      says(/clarify/)(session);
    },
  ],
  plan: [
    allowed(both(says(/approved/i), shows(/auto mode on/))),
    allowed(both(says(/approved/i), shows(/manual mode on/))),
    async (session) => {
      await session.finished();
      expect(session.results.at(-1)).toMatchObject({ isError: true });
      says(WORDS)(session);
      await shows(/plan mode on/)(session);
    },
  ],
  trust: [
    async ({ run }) => expect(await run.exited).not.toBe(0),
    async ({ terminal }) => terminal.waitFor(INPUT_BOX),
  ],
};
