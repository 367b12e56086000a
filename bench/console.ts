/** How long a trivial command in a live bash and a live Python takes, from giving it until its output and end are known. */
import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { systemClock } from "../src/observe/clock.js";
import { readProgram } from "../src/worker/adapter-format/program/read-program.js";
import { openProgram } from "../src/worker/runtimes/program/open-program.js";
import { median, quantile, type Report, short } from "./figures.js";
import { OuterTerminal } from "./outer-terminal.js";

const ROUNDS = 200;
const WARM_UP = 20;
/** As often as a script can look without keeping a core busy. */
const TMUX_POLL_MS = 5;
const TMUX = ["-L", "atlasbridge-bench", "-f", "/dev/null"];
const PEXPECT = fileURLToPath(new URL("peers/pexpect-shell.py", import.meta.url));

interface Language {
  readonly name: "bash" | "python";
  /** Prints a text in a line. */
  readonly print: (text: string) => string;
  /** The arguments with which AtlasBridge starts it. */
  readonly args: readonly string[];
  /** Started without anything else, and so that its prompts are numbered: `<1>`. */
  readonly numbered: readonly string[];
  readonly plain: string;
}

const COUNTER =
  'import sys; sys.ps1 = type("P", (), {"n": 0, "__str__": lambda s: (setattr(s, "n", s.n + 1), "<%d>" % s.n)[1]})()';

const LANGUAGES: readonly Language[] = [
  {
    name: "bash",
    print: (text) => `echo ${text}`,
    args: ["--norc"],
    numbered: ["bash", "--norc", "--noprofile", "-i"],
    plain: "bash --norc --noprofile -i",
  },
  {
    name: "python",
    print: (text) => `print("${text}")`,
    args: [],
    numbered: ["python3", "-q", "-i", "-c", COUNTER],
    plain: "python3 -q",
  },
];

interface Shell {
  /** Runs `echo TEXT` and resolves once its output is known. */
  run(text: string): Promise<void>;
  close(): Promise<void> | void;
}

type Env = Readonly<Record<string, string>>;

/** The program's own time: its next prompt shows in the bytes, and nothing else is looked at. */
async function openBare({ numbered, print }: Language, env: Env): Promise<Shell> {
  const terminal = new OuterTerminal(numbered, { ...env, PS1: "<\\#>", PYTHON_BASIC_REPL: "1" });
  let prompts = 1;
  await terminal.until("<1>");
  return {
    run: async (text) => {
      prompts += 1;
      terminal.press(`${print(text)}\r`);
      await terminal.until(`<${prompts}>`);
    },
    close: () => terminal.close(),
  };
}

async function openOurs({ name, args, print }: Language, env: Env): Promise<Shell> {
  const file = fileURLToPath(new URL(`../adapters/programs/${name}.yaml`, import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), "bench-console-"));
  const { session, terminal, screen } = openProgram({
    read: readProgram(readFileSync(file, "utf8"), file),
    typed: null,
    args,
    environment: env,
    cwd: folder,
    size: { cols: 100, rows: 30 },
    clock: systemClock,
    createGuid: randomUUID,
    folder,
  });
  const problem = await session.awaitReady(30_000);
  if (problem !== null) throw new Error(problem);
  return {
    run: async (text) => {
      const { output } = await session.run(print(text), { timeoutMs: 10_000 });
      if (output.text !== `${text}\n`) throw new Error(`found ${JSON.stringify(output.text)}`);
    },
    close: async () => {
      await session.shutDown();
      screen.dispose();
      terminal.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function openPexpect({ name }: Language, env: Env): Shell {
  const child = spawn("python3", [PEXPECT, name], { env: { ...env }, stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    run: async (text) => {
      child.stdin.write(`${text}\n`);
      const { value } = (await answers.next()) as { value: unknown };
      if (value !== text) throw new Error(`pexpect found ${JSON.stringify(value)}`);
    },
    close: () => void child.kill(),
  };
}

async function openTmux({ plain, print }: Language, env: Env): Promise<Shell> {
  const tmux = (...args: readonly string[]): string =>
    spawnSync("tmux", [...TMUX, ...args], { env: { ...env }, encoding: "utf8" }).stdout;
  tmux("new-session", "-d", "-s", "bench", "-x", "100", "-y", "30", plain);
  await pause(500);
  return {
    run: async (text) => {
      tmux("send-keys", "-t", "bench", print(text), "Enter");
      while (!tmux("capture-pane", "-p", "-t", "bench").split("\n").includes(text)) await pause(TMUX_POLL_MS);
    },
    close: () => void tmux("kill-server"),
  };
}

function hasPexpect(): boolean {
  return spawnSync("python3", ["-c", "import pexpect"]).status === 0;
}

export async function consoleCommands(env: Env): Promise<readonly Report[]> {
  const reports: Report[] = [];
  for (const language of LANGUAGES) reports.push(await measure(language, env));
  return reports;
}

async function measure(language: Language, env: Env): Promise<Report> {
  const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
  const itself = `${language.name} itself`;
  const shells = new Map<string, Shell>([
    [itself, await openBare(language, env)],
    ["atlasbridge", await openOurs(language, env)],
    ...(hasPexpect() ? ([["pexpect", openPexpect(language, env)]] as const) : []),
    ...(hasTmux ? ([["tmux send-keys, capture-pane", await openTmux(language, env)]] as const) : []),
  ]);
  const times = new Map<string, number[]>([...shells.keys()].map((name) => [name, []]));
  try {
    for (let round = -WARM_UP; round < ROUNDS; round++)
      for (const [name, shell] of shells) {
        const begun = performance.now();
        await shell.run(`out-${round + WARM_UP}-end`);
        if (round >= 0) times.get(name)?.push(performance.now() - begun);
      }
  } finally {
    for (const shell of shells.values()) await shell.close();
  }
  const own = median(times.get(itself) ?? []);
  const rows = [...times].map(([name, each]) => [
    name,
    short(median(each)),
    short(median(each) - own),
    short(quantile(each, 0.99)),
  ]);
  const skipped = [...(hasPexpect() ? [] : ["pexpect"]), ...(hasTmux ? [] : ["tmux"])];
  const text =
    `\`${language.print("TEXT")}\` in a live ${language.name}: from giving it until its output, its end and (atlasbridge) its exit code and directory are known; ` +
    `${ROUNDS} interleaved rounds. pexpect: \`replwrap\`. tmux is asked every ${TMUX_POLL_MS} ms, and tells no end and no exit code. ` +
    `The bar for atlasbridge: at most 15 ms over ${itself}.` +
    (skipped.length > 0 ? ` Not installed, so skipped: ${skipped.join(", ")}.` : "");
  const title = language.name === "bash" ? "A command in a live shell" : "A command in a live Python";
  return { title, text, columns: ["", "median ms", "added ms", "p99 ms"], rows };
}
