/**
 * Records what tests/fixtures/agents/replays-claude.mjs plays: every dialog of the real claude, and what each key does to it.
 * Run it after a new version of claude, in a folder whose name may stand on the recorded screens:
 * `TMPDIR=/home/dev npx tsx tests/support/rig/record-dialogs.ts [dialog…]`
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { timesRun } from "../fake-model/scenarios.js";
import { FakeModel } from "../fake-model/server.js";
import { CLAUDE_VERSION, installClaude, prepareClaude } from "../real-cli/claude.js";
import { KEYS, RealTerminal, type TerminalSize } from "../real-cli/terminal.js";
import { type ClaudeDialog, DIALOGS, listKeys, keysToAmend, nameOfSize, SIZES } from "./claude-dialogs.js";
import { isAlive } from "./processes.js";

type Piece = readonly [ms: number, data: string];

/** A picture that stays, and what each key does to it. Without `keys` the dialog is closed: the tool works or waits for a prompt. */
interface Drawing {
  /** Where its rows stand. Names that claude makes up wrap here and there. */
  shape?: string;
  /** The pieces in which it came: ms since the one before (or the key), and its bytes in base64. */
  readonly draws: Piece[];
  keys?: Record<string, Drawing>;
  /** Another dialog: claude is deaf to hasty keys for a moment. */
  opens?: true;
  exits?: number;
}

const OUT = join(import.meta.dirname, "../../fixtures/recordings/claude-dialogs");
const INPUT_BOX = /^❯\u00a0/m;
const WORKING = /esc to interrupt|^[·✢*✶✻✽] [^…\n]{1,80}…/m;

/** The ways to answer: keys one after the other. */
function listPaths(dialog: ClaudeDialog): string[][] {
  const { name, rows } = dialog;
  const byRow = rows.map((_, index) => listKeys(dialog, index + 1));
  if (name === "twins") return [["1", "1"], ["4"], [KEYS.esc]];
  if (name === "bash") return [...byRow, ...OTHER_WAYS, keysToAmend(dialog)];
  return name === "trust" ? [...byRow, [KEYS.esc]] : byRow;
}

/** What else happens to the Bash dialog. Its second row is a text field while it is highlighted: a digit is text there. */
const OTHER_WAYS = [
  [KEYS.esc],
  [KEYS.enter],
  [KEYS.down, KEYS.enter],
  [KEYS.down, KEYS.down, KEYS.down, KEYS.enter],
  [KEYS.down, "1", KEYS.esc],
];

/** Two calls that nobody can tell apart: the second dialog follows the first. */
const bash = DIALOGS.find(({ name }) => name === "bash");
const TWINS: ClaudeDialog[] = bash ? [{ ...bash, name: "twins", scenario: "bash-twins" }] : [];

/** A dialog hides the input box; work shows itself. */
function isIdle(screen: string): boolean {
  return INPUT_BOX.test(screen) && !WORKING.test(screen);
}

/** Above it a dot blinks and a logo moves; those are no effects of anything. */
function belowQuestion(screen: string, { question }: ClaudeDialog): string {
  return screen.slice(screen.lastIndexOf(question.slice(0, WRAPS_AFTER)));
}

/** No question is broken before this. */
const WRAPS_AFTER = 10;

class Recording {
  readonly #dialog: ClaudeDialog;
  readonly #terminal: RealTerminal;
  readonly #cwd: string;
  readonly #pieces: Piece[] = [];
  #lastAt = performance.now();

  constructor(dialog: ClaudeDialog, terminal: RealTerminal, cwd: string) {
    this.#dialog = dialog;
    this.#terminal = terminal;
    this.#cwd = cwd;
    terminal.onOutput = (bytes) => {
      const at = performance.now();
      this.#pieces.push([Math.round(at - this.#lastAt), Buffer.from(bytes).toString("base64")]);
      this.#lastAt = at;
    };
  }

  get hasEnded(): boolean {
    return !isAlive(this.#terminal.pid);
  }

  async open(): Promise<Piece[]> {
    const { scenario, drawn } = this.#dialog;
    if (scenario !== null) {
      await this.#terminal.waitFor(INPUT_BOX);
      await this.#terminal.submit(`please run [[${scenario}]]`);
    }
    await this.#terminal.waitFor(drawn);
    return this.#drawn();
  }

  /** `closes`: the last key, after which the tool goes on. */
  async press(key: string, closes: boolean): Promise<Piece[]> {
    const below = (screen: string): string => belowQuestion(screen, this.#dialog);
    const before = below(this.#terminal.screen);
    const runs = timesRun(this.#cwd);
    this.#lastAt = performance.now();
    this.#terminal.press(key);
    if (closes) await this.#terminal.waitUntil(isIdle, "an idle claude").catch(unlessEnded);
    else if (this.#dialog.name === "twins") await this.#nextTwin(runs);
    else await this.#terminal.waitUntil((screen) => below(screen) !== before, "an effect");
    return this.#drawn();
  }

  /** Looks like the first: only the folder tells that the first one was answered. */
  async #nextTwin(runs: number): Promise<void> {
    while (timesRun(this.#cwd) === runs) await this.#terminal.settled();
    await this.#terminal.waitFor(this.#dialog.drawn);
  }

  async #drawn(): Promise<Piece[]> {
    await this.#terminal.settled();
    return this.#pieces.splice(0);
  }
}

function classifyShape(screen: string): string {
  return screen
    .split("\n")
    .map((line) => (line.trim() === "" ? " " : line.includes("❯") ? "❯" : "-"))
    .join("");
}

/** False when this run's dialog was drawn otherwise than the one that is kept. */
async function recordPath(
  modules: string,
  dialog: ClaudeDialog,
  size: TerminalSize,
  keys: readonly string[],
  root: Drawing,
): Promise<boolean> {
  const api = await FakeModel.start();
  const claude = prepareClaude({ modules, apiUrl: api.url, ...dialog.options });
  api.setWorkspace(claude.cwd);
  const terminal = new RealTerminal(claude, size);
  try {
    const recording = new Recording(dialog, terminal, claude.cwd);
    const opening = await recording.open();
    // The first opening is kept: what follows is drawn onto it, and must fit.
    if (root.draws.length === 0) {
      root.draws.push(...opening);
      root.shape = classifyShape(terminal.screen);
    } else if (root.shape !== classifyShape(terminal.screen)) return false;
    let at = root;
    for (const [index, key] of keys.entries()) {
      const draws = await recording.press(key, index === keys.length - 1);
      at.keys ??= {};
      const isTwin = dialog.name === "twins" && index < keys.length - 1;
      at = at.keys[key] ??= isTwin ? { draws, opens: true } : { draws };
    }
    if (recording.hasEnded) at.exits = await terminal.exited;
    return true;
  } finally {
    await terminal.close();
    await api.close();
    await claude.dispose();
  }
}

/** "No, exit" ends the tool, and with it the wait. */
function unlessEnded(error: unknown): void {
  if (!String(error).includes("exited with")) throw error;
}

const installed = await installClaude();
if (!installed.ok) throw new Error(installed.reason);
mkdirSync(OUT, { recursive: true });
const wanted = process.argv.slice(2);
for (const dialog of [...DIALOGS, ...TWINS]) {
  if (wanted.length > 0 && !wanted.includes(dialog.name)) continue;
  for (const size of SIZES) {
    const root: Drawing = { draws: [] };
    for (const keys of listPaths(dialog)) {
      console.log(dialog.name, nameOfSize(size), JSON.stringify(keys));
      while (!(await recordPath(installed.modules, dialog, size, keys, root)))
        console.log("drawn otherwise; again");
    }
    delete root.shape;
    const file = `${dialog.name}-${nameOfSize(size)}.json`;
    writeFileSync(join(OUT, file), `${JSON.stringify({ version: CLAUDE_VERSION, ...size, ...root })}\n`);
    console.log(file);
  }
}
