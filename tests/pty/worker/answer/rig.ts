/** Runs a habit agent in a real terminal and answers what it draws. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asId } from "../../../../src/model/ids.js";
import type { InjectionGate, InjectionResult } from "../../../../src/sdk/adapter.js";
import type { Candidate, CandidateChoice } from "../../../../src/sdk/candidate.js";
import type { View } from "../../../../src/sdk/view.js";
import { systemClock } from "../../../../src/observe/clock.js";
import { waitFor } from "../../../../src/worker/answer/terminal-port.js";
import { injectAnswer, type InjectOptions } from "../../../../src/worker/answer/inject.js";
import { TerminalDriver } from "../../../../src/worker/answer/terminal-driver.js";
import { Screen } from "../../../../src/worker/screen/screen.js";
import { openPty } from "../../../../src/worker/pty/pty.js";
import type { Terminal } from "../../../../src/worker/process/terminal.js";
import { TtyFacts } from "../../../../src/worker/process/facts/tty-facts.js";
import { makeCandidate, replyTo } from "../../../unit/worker/answer/make.js";

const SIZE = { cols: 120, rows: 50 };
/** A loaded machine starts node slowly. */
const PATIENCE_MS = 10_000;

/** What an adapter file says about the agent: how its rows are taken. */
export type Manner = Partial<
  Pick<Candidate, "checkList" | "endsTool" | "constraints" | "promptType" | "textEntry">
> & {
  readonly answer?: (index: number) => CandidateChoice["answer"];
  readonly textRow?: number;
  readonly textKeys?: readonly string[];
  readonly takesText?: "optional" | "required";
};

export const byDigit: Manner = { answer: (index) => ({ by: "key", key: String(index) }) };
export const byArrows: Manner = { answer: () => ({ by: "arrows" }) };

const ROW = /^(❯ |  )(?:[1-9]\. )?(?:\[([ x])\] )?(\S.*)$/;

/** The simplest rule there is: a line that ends in `?`, then rows with one `❯`; or the question and a box. */
export function detectHabit(view: View, manner: Manner): Candidate | null {
  const top = view.lines.findIndex(({ text }) => /\?(?: \([a-z/]+\))?$/.test(text));
  const question = view.lines[top]?.text;
  if (question === undefined) return null;
  if (manner.promptType === "free_text") return makeBox(view, top, question, manner);
  if (manner.promptType === "yes_no") return makeLine(view, manner);
  return makeList(view, top, question, manner);
}

function makeList(view: View, top: number, question: string, manner: Manner): Candidate | null {
  const choices: CandidateChoice[] = [];
  let highlighted: number | null = null;
  for (let y = top + 1; view.lines[y]?.text; y++) {
    const [, mark, tick, label] = ROW.exec(view.lines[y]!.text) ?? [];
    if (label === undefined) return null;
    const index = choices.length + 1;
    if (mark === "❯ ") highlighted = index;
    const isText = manner.textRow === index;
    choices.push({
      label,
      intent: "other",
      answer: manner.answer?.(index) ?? { by: "arrows" },
      firstRow: y,
      lastRow: y,
      ...(tick !== undefined && { checked: tick === "x" }),
      ...(isText && { takesText: manner.takesText ?? "required", textKeys: manner.textKeys ?? [] }),
    });
  }
  if (choices.length === 0 || highlighted === null) return null;
  const labels = choices.map(({ label, takesText }) => (takesText ? "…" : label));
  return makeCandidate({
    rule: question.startsWith("Submit") ? "review" : "list",
    question,
    choices,
    highlighted,
    content: { text: "", cut: null },
    region: { top, bottom: top + choices.length + 2 },
    fingerprint: asId([question, ...labels].join("|")),
    ...(manner.checkList && { checkList: manner.checkList }),
    ...(manner.constraints && { constraints: manner.constraints }),
    endsTool: manner.endsTool ?? [],
  });
}

function makeBox(view: View, top: number, question: string, manner: Manner): Candidate | null {
  const box = view.lines.findIndex(({ text }) => text.startsWith(">"));
  if (box < 0) return null;
  return makeCandidate({
    promptType: "free_text",
    question,
    choices: [],
    highlighted: null,
    content: { text: "", cut: null },
    constraints: manner.constraints ?? {},
    textEntry: manner.textEntry ?? "paste",
    region: { top, bottom: view.rows - 1 },
    fingerprint: asId(question),
  });
}

function makeLine(view: View, manner: Manner): Candidate | null {
  const { text = "" } = view.lines[view.cursor.y] ?? {};
  if (!/\(y\/n\)$/.test(text)) return null;
  const answer = (typed: string): CandidateChoice["answer"] => ({ by: "line", text: typed });
  const row = { intent: "other", firstRow: view.cursor.y, lastRow: view.cursor.y } as const;
  return makeCandidate({
    shape: "yes_no",
    promptType: "yes_no",
    question: text,
    choices: [
      { ...row, label: "Yes", answer: answer("y") },
      { ...row, label: "No", answer: answer("n") },
    ],
    highlighted: null,
    content: { text: "", cut: null },
    region: { top: view.cursor.y, bottom: view.cursor.y },
    fingerprint: asId(text),
    endsTool: manner.endsTool ?? [],
  });
}

export interface LogEntry {
  readonly in?: string;
  readonly took?: unknown;
  readonly [key: string]: unknown;
}

export interface AnswerOptions extends Partial<InjectOptions> {
  readonly text?: string;
  readonly gate?: InjectionGate;
  /** How the adapter says the rows are taken; the agent's own manner unless it is wrong on purpose. */
  readonly raised?: Candidate;
}

export class Rig {
  readonly terminal: Terminal;
  readonly port: TerminalDriver;
  readonly #folder = mkdtempSync(join(tmpdir(), "habit-"));
  readonly #screen = new Screen(SIZE);
  readonly #facts: TtyFacts;
  #typedAt = -Infinity;

  constructor(manner: Manner, agent: string, ...options: string[]) {
    const file = new URL(`../../../fixtures/agents/habit-${agent}.mjs`, import.meta.url).pathname;
    const command = [process.execPath, file, this.#log, ...options];
    this.terminal = openPty({
      command: options[0] === "in-shell" ? inShell(command) : command,
      env: { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color" },
      cwd: this.#folder,
      size: SIZE,
      clock: systemClock,
    });
    this.terminal.onData((chunk) => this.#screen.write(chunk));
    this.#facts = new TtyFacts(this.terminal);
    this.port = new TerminalDriver(this.terminal, this.#screen, systemClock, {
      detect: (view) => detectHabit(view, manner),
      detectState: () => null,
      hasEmptyComposer: () => false,
      typedAt: () => this.#typedAt,
      foregroundGroup: () => this.#facts.findForegroundGroup() ?? null,
      isEnding: () => false,
    });
  }

  get #log(): string {
    return join(this.#folder, "log");
  }

  /** What stands on the screen, as text. */
  get text(): string {
    return this.#screen
      .view()
      .lines.map(({ text }) => text)
      .join("\n");
  }

  /** Waits until this question is asked. */
  async asked(question: string): Promise<Candidate> {
    const look = (): Candidate | null => {
      const live = this.port.detect();
      return live?.question.startsWith(question) ? live : null;
    };
    const found = await waitFor(this.port, look, PATIENCE_MS);
    if (!found) throw new Error(`never asked: ${question}; the screen shows\n${this.text}`);
    return found;
  }

  async shows(text: string): Promise<void> {
    const look = (): true | null => (this.text.includes(text) ? true : null);
    if (!(await waitFor(this.port, look, PATIENCE_MS))) throw new Error(`never shown: ${text}`);
  }

  async answer(raised: Candidate, value: string, options: AnswerOptions = {}): Promise<InjectionResult> {
    const { text, gate = () => Promise.resolve(), ...others } = options;
    const raisedGroup = this.port.foregroundGroup();
    return injectAnswer(this.port, raised, replyTo(raised, value, text), gate, { raisedGroup, ...others });
  }

  /** As the person at the keyboard does. */
  async type(keys: string): Promise<void> {
    this.#typedAt = systemClock.monotonic();
    await this.terminal.write(Buffer.from(keys));
  }

  get log(): readonly LogEntry[] {
    const lines = readFileSync(this.#log, "utf8").split("\n").filter(Boolean);
    return lines.map((line) => JSON.parse(line) as LogEntry);
  }

  /** Every byte that the agent received. */
  get received(): string {
    return this.log.map((entry) => entry.in ?? "").join("");
  }

  get took(): readonly unknown[] {
    return this.log.filter((entry) => "took" in entry).map(({ took }) => took);
  }

  get agentPid(): number {
    return this.log[0]!["pid"] as number;
  }

  async close(): Promise<void> {
    this.terminal.kill("SIGKILL");
    await this.terminal.exited;
    this.terminal.close();
    this.#screen.dispose();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The tool as a foreground job of a shell, which reads what is typed once the tool is gone. */
function inShell(command: readonly string[]): string[] {
  const script = 'set -m; "$@"; IFS= read -r leaked; echo "THE SHELL READ: $leaked"';
  return ["bash", "-c", script, "bash", ...command];
}
