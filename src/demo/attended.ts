/**
 * The demo in a terminal: the agent runs in a real session, its terminal is drawn on the left, and each of its prompts also stands on
 * a phone on the right. A key is a tap there: it goes through the hub as a tap from a chat does.
 */
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { ChildProcess } from "node:child_process";
import type { ListedPrompt } from "../wire/listings.js";
import { answerPrompt } from "../client/ask-hub.js";
import { needsQuestion } from "../sdk/card-parts.js";
import { formatTitle } from "../sdk/card-words.js";
import { Screen } from "../worker/screen/screen.js";
import { answerAtTerminal, awaitPrompt, startRun } from "./agent-run.js";
import { collectDemoResults, DEMO_ADAPTER, withDemoHome, type DemoResult } from "./demo.js";
import { drawDemo, type DemoCard } from "./draw-split.js";
import { OwnScreen } from "./own-screen.js";
import { DEMO_STEPS, type DemoStep } from "./script.js";

/** The size of a session without a terminal. */
const AGENT_SIZE = { cols: 120, rows: 50 };
/** Long enough to read what became of the answer. */
const OUTCOME_SHOWN_MS = 1_600;
/** Long enough to see which button was tapped. */
const TAP_SHOWN_MS = 350;
const LEAVE_KEYS = ["q", "\u0003"];

/** Null: the person left before the end. */
export function runAttendedDemo(): Promise<readonly DemoResult[] | null> {
  return withDemoHome(async (home) => {
    const run = startRun(home, "pipe");
    const ended = once(run, "exit");
    const scene = new DemoSession(run);
    try {
      for (const [at, step] of DEMO_STEPS.entries()) if (!(await scene.play(step, at))) return null;
      await ended;
    } finally {
      scene.close();
      run.kill("SIGTERM");
    }
    return collectDemoResults(home);
  });
}

class DemoSession {
  readonly #run: ChildProcess;
  readonly #agent = new Screen(AGENT_SIZE);
  readonly #own: OwnScreen;
  #card: DemoCard | null = null;
  #heading = "";
  #hint = "";

  constructor(run: ChildProcess) {
    this.#run = run;
    this.#own = new OwnScreen(() => this.#draw());
    run.stdout?.on("data", (chunk: Buffer) => {
      this.#agent.write(chunk);
      void this.#agent.flushed().then(this.#own.redraw);
    });
  }

  close(): void {
    this.#own.close();
    this.#agent.dispose();
  }

  /** False: the person left, or the agent did. */
  async play(step: DemoStep, at: number): Promise<boolean> {
    this.#show(null, `A scripted agent asks ${DEMO_STEPS.length} questions. Question ${at + 1} …`, "q quits");
    const prompt = await awaitPrompt(step, this.#run);
    if (prompt === null) return false;
    const card = toCard(prompt);
    this.#show(
      card,
      `Question ${at + 1} of ${DEMO_STEPS.length}: it stands in the terminal, and the same on the phone.`,
      describeKeys(step, prompt),
    );
    const value = await this.#readAnswer(step, prompt);
    if (value === null) return false;
    if (step.value === null) return this.#typeSecret(step, prompt, card);
    const tapped = prompt.choices.findIndex(({ index }) => String(index) === value);
    this.#show({ ...card, tapped }, "The phone answers …", "");
    await pause(TAP_SHOWN_MS);
    const outcome = await answerPrompt({ shortId: prompt.shortId, value }, true);
    const isConfirmed = outcome.kind === "settled" && outcome.state === "answered";
    return this.#showOutcome(
      { ...card, outcome: outcome.kind === "claimed" ? "" : outcome.text },
      isConfirmed ? "The answer from the phone was typed in the terminal:" : "The answer was not confirmed:",
    );
  }

  async #typeSecret(step: DemoStep, prompt: ListedPrompt, card: DemoCard): Promise<boolean> {
    const problem = await answerAtTerminal(prompt, step, this.#run);
    const outcome = problem ?? "🔒 Answered at the terminal";
    return this.#showOutcome(
      { ...card, outcome },
      "A secret never goes through a phone. It was typed in the terminal:",
    );
  }

  async #showOutcome(card: DemoCard, heading: string): Promise<boolean> {
    this.#show(card, heading, "");
    await pause(OUTCOME_SHOWN_MS);
    return true;
  }

  /** Null: the person leaves. */
  async #readAnswer(step: DemoStep, { choices }: ListedPrompt): Promise<string | null> {
    for (;;) {
      const key = await this.#own.nextKey();
      if (LEAVE_KEYS.includes(key)) return null;
      if (key === "\r" || key === "\n") return step.value ?? step.typed;
      const isSingle = step.value !== null && choices.some(({ index }) => String(index) === step.value);
      if (isSingle && choices.some(({ index }) => String(index) === key)) return key;
      if (/^[yn]$/.test(step.value ?? "") && /^[yn]$/.test(key)) return key;
    }
  }

  #show(card: DemoCard | null, heading: string, hint: string): void {
    [this.#card, this.#heading, this.#hint] = [card, heading, hint];
    this.#own.redraw();
  }

  #draw(): readonly string[] {
    const { columns, rows } = process.stdout;
    const lines = this.#agent.view().lines.map(({ text }) => text.trimEnd());
    const last = lines.findLastIndex((line) => line !== "");
    const terminal = lines.slice(0, last + 1);
    return drawDemo(
      { heading: this.#heading, terminal, card: this.#card, hint: this.#hint },
      { columns, rows },
    );
  }
}

function toCard({ safetyClass, type, content, excerpt, choices }: ListedPrompt): DemoCard {
  const text = content.text === "" ? [] : content.text.split("\n");
  const question = needsQuestion({ question: excerpt, content }, true) ? [excerpt] : [];
  return {
    title: formatTitle({ safetyClass, promptType: type }, DEMO_ADAPTER),
    text: [...text, ...(text.length > 0 && question.length > 0 ? [""] : []), ...question],
    buttons: choices.map(({ index, label }) => (type === "yes_no" ? label : `${index}. ${label}`)),
    tapped: null,
    outcome: null,
  };
}

function describeKeys({ value, words }: DemoStep, { choices }: ListedPrompt): string {
  if (value === null) return "Enter types a password at the agent's terminal · q quits";
  if (choices.some(({ index }) => String(index) === value))
    return `Enter taps ${words} on the phone, 1 to ${choices.length} another button · q quits`;
  if (/^[yn]$/.test(value)) return "y taps Yes on the phone, n or Enter taps No · q quits";
  return `Enter sends ${words} from the phone · q quits`;
}
