/** At least fifteen real programs that ask nothing raise no prompt. A question that no rule describes raises one. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEYS } from "../support/real-cli/terminal.js";
import { Rig } from "../support/rig/rig.js";
import type { Run } from "../support/rig/run.js";

/** Every wording that asks; none of the programs below asks it. */
const LOOKALIKES = [
  "Do you want to continue? (y/n)",
  "Overwrite existing file? [Y/n]",
  "Password:",
  "Press Enter to continue...",
  "❯ 1. Yes",
  "  2. No",
  "Are you sure you want to proceed? (yes/no)",
].join("\n");

interface Negative {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** The screen on which it waits for its user, or works. */
  readonly ready: RegExp;
  /** Typed then, and the screen after it. */
  readonly typed?: readonly [keys: string, after: RegExp];
  readonly cwd?: string;
}

const REPO = join(import.meta.dirname, "../..");
const line = (text: string): string => `${text}${KEYS.enter}`;
const sh = (script: string): [string, ...string[]] => ["sh", "-c", script];
const node = (script: string): [string, ...string[]] => ["node", "-e", script];

/** They wait for their user and ask nothing. */
const WAITING: readonly Negative[] = [
  {
    name: "bash",
    command: ["bash", "--norc"],
    ready: /[$#] $/m,
    typed: [line("cat lookalikes"), /\(yes\/no\)\n.*[$#] ?$/m],
  },
  {
    name: "bash with a command not yet sent",
    command: ["bash", "--norc"],
    ready: /[$#] $/m,
    typed: ["echo 'Continue? (y/n)'", /echo 'Continue\? \(y\/n\)'$/m],
  },
  {
    name: "dash",
    command: ["dash"],
    ready: /[$#] ?$/m,
    typed: [line("echo 'Password:'"), /^Password:\n[$#] ?$/m],
  },
  {
    name: "python3",
    command: ["python3", "-q"],
    ready: />>> ?$/m,
    typed: [line("print('1. Yes\\n2. No\\nContinue? (y/n)')"), /^Continue\? \(y\/n\)\n>>> ?$/m],
  },
  {
    name: "python3 in the middle of a block",
    command: ["python3", "-q"],
    ready: />>> ?$/m,
    typed: [line("if input:"), /\.\.\. ?$/m],
  },
  { name: "node", command: ["node"], ready: /^> ?$/m, typed: [line("'Password:'"), /^'Password:'\n> ?$/m] },
  { name: "less", command: ["less", "lookalikes"], ready: /\(yes\/no\)[\s\S]*lookalikes/ },
  { name: "more", command: ["more", "long"], ready: /--More--/ },
  { name: "man", command: ["man", "bash"], ready: /BASH\(1\)/ },
  { name: "git log in its pager", command: ["git", "log"], ready: /^:/m, cwd: REPO },
  { name: "vim", command: ["vim", "-u", "NONE", "lookalikes"], ready: /"lookalikes"/ },
  {
    name: "vim while text is put in",
    command: ["vim", "-u", "NONE", "-c", "set showmode"],
    ready: /VIM - Vi IMproved/,
    typed: ["iOverwrite? (y/n)", /^Overwrite\? \(y\/n\)[\s\S]*-- INSERT --/],
  },
  { name: "top", command: ["top"], ready: /PID +USER/ },
  { name: "watch", command: ["watch", "-n", "1", "cat", "lookalikes"], ready: /\(yes\/no\)/ },
  { name: "bc", command: ["bc", "-q"], ready: /^/, typed: [line("6*7"), /^42$/m] },
  { name: "ed", command: ["ed", "lookalikes"], ready: /^\d+$/m, typed: [line("1p"), /^Do you want/m] },
  {
    name: "sqlite3",
    command: ["sqlite3"],
    ready: /sqlite> ?$/m,
    typed: [line("select 'Continue? (y/n)';"), /^Continue\? \(y\/n\)\nsqlite> ?$/m],
  },
  { name: "gdb", command: ["gdb", "-q"], ready: /\(gdb\) ?$/m },
  { name: "the perl debugger", command: ["perl", "-de", "0"], ready: /DB<1> ?$/m },
  { name: "cat", command: ["cat"], ready: /^/, typed: [line("Password:"), /Password:\nPassword:/] },
  { name: "read without a word", command: sh("echo ready; read -r answer"), ready: /ready/ },
];

/** They work, and what they print looks like questions. */
const WORKING: readonly Negative[] = [
  { name: "a log", command: ["tail", "-f", "lookalikes"], ready: /\(yes\/no\)/ },
  {
    name: "a build that asks itself and goes on",
    command: sh("while :; do echo 'Overwrite? (y/n)'; echo y; sleep 0.2; done"),
    ready: /(?:Overwrite\? \(y\/n\)\ny\n){3}/,
  },
  {
    name: "a question without an end of line, and then work",
    command: sh("printf 'Continue? (y/n) '; exec sleep 600"),
    ready: /Continue\? \(y\/n\) ?$/m,
  },
  {
    name: "a password prompt that nobody reads",
    command: sh("printf 'Password: '; exec sleep 600"),
    ready: /Password: ?$/m,
  },
  {
    name: "make",
    command: ["make", "-f", "recipe"],
    ready: /^Press Enter to continue\.\.\./m,
  },
  {
    name: "a progress bar",
    command: node(
      `let n = 0; setInterval(() => process.stdout.write("\\rContinue? (y/n) " + n++ + "%"), 50)`,
    ),
    ready: /Continue\? \(y\/n\) \d+%/,
  },
  {
    name: "prose that is still being written",
    command: node(`const text = require("fs").readFileSync("lookalikes", "utf8"); let n = 0;
      setInterval(() => process.stdout.write(text[n++ % text.length].replace("\\n", "\\r\\n")), 20)`),
    ready: /Password:/,
  },
  {
    name: "a diff",
    command: sh("git diff --no-index empty lookalikes | cat; exec sleep 600"),
    ready: /^\+Password:/m,
  },
  { name: "grep", command: sh("grep -n . lookalikes; exec sleep 600"), ready: /^3:Password:/m },
  {
    name: "our own tests",
    command: [
      "node",
      "node_modules/vitest/vitest.mjs",
      "run",
      "--config",
      "tests/support/rig/some-units.config.ts",
    ],
    ready: /Tests +\d+ passed/,
    cwd: REPO,
  },
];

/** The slowest of all detections: text that no rule knows, before a program that provably reads. */
const CONTROL = sh("printf 'Gimme '; read -r answer");

function isInstalled(program: string): boolean {
  try {
    execFileSync("sh", ["-c", 'command -v "$1"', "sh", program], { stdio: "ignore" });
    return true;
  } catch {
    console.warn(`negatives: skipping ${program}: it is not installed`);
    return false;
  }
}

describe("programs that ask nothing", () => {
  const cases = [...WAITING, ...WORKING].filter(({ command: [program] }) => isInstalled(program));
  let rig: Rig;
  let counts: Map<string, number>;

  /** Until it waits, or is in the middle of its work. */
  async function start({ name, command, ready, typed, cwd }: Negative): Promise<Run> {
    const run = rig.run(command, { label: name, ...(cwd !== undefined && { cwd }) });
    await run.terminal.waitFor(ready);
    if (typed) {
      run.terminal.press(typed[0]);
      await run.terminal.waitFor(typed[1]);
    }
    return run;
  }

  beforeAll(async () => {
    rig = await Rig.start();
    writeFileSync(join(rig.home.folder, "lookalikes"), `${LOOKALIKES}\n`);
    writeFileSync(join(rig.home.folder, "long"), `${LOOKALIKES}\n`.repeat(20));
    writeFileSync(join(rig.home.folder, "empty"), "");
    writeFileSync(
      join(rig.home.folder, "recipe"),
      'all:\n\t@echo "Password:"; echo "Press Enter to continue..."; sleep 600\n',
    );
    await Promise.all(cases.map(start));
    // All of them had more time than this one, and it is noticed last of all.
    await rig.run(CONTROL, { label: "control" }).card();
    counts = await countEvents(rig);
  });
  afterAll(() => rig.close());

  it("number at least fifteen", () => expect(cases.length).toBeGreaterThanOrEqual(15));

  it.each(cases)("$name", ({ name }) => expect(counts.get(name)).toBe(0));

  it("raise no prompt, but a question that no rule describes does", () =>
    expect(counts.get("control")).toBe(1));
});

/** Events of each session, by its label. */
async function countEvents(rig: Rig): Promise<Map<string, number>> {
  const [prompts, sessions] = await Promise.all([rig.prompts(), rig.sessions()]);
  return new Map(
    sessions.map(({ label, sessionId }) => [
      label ?? "",
      prompts.filter((prompt) => prompt.sessionId === sessionId).length,
    ]),
  );
}
