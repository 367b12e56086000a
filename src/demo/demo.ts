/**
 * `atlasbridge demo`: a scripted agent in a real session with a temporary home, answered through a real hub by a person (`screen.ts`) or by
 * the script.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { answerPrompt, listPrompts } from "../client/ask-hub.js";
import { withHub } from "../client/client.js";
import { buildOwnCommand } from "../client/connect/start-hub.js";
import { startHub, stopHub } from "../client/manage-hub.js";
import { resolvePaths } from "../config/paths.js";
import { findBuiltProgram } from "../observe/package-root.js";
import type { ListedPrompt } from "../wire/listings.js";

export const DEMO_ADAPTER = "demo-agent";

export interface DemoStep {
  readonly step: string;
  /** A part of the question. */
  readonly question: string;
  /** A secret is typed at the terminal, other answers go through the hub. */
  readonly answer: string;
  readonly isSecret?: true;
  /** The agent's record of the answer. */
  readonly effect: string;
  readonly words: string;
}

export const DEMO_STEPS: readonly DemoStep[] = [
  { step: "permission", question: "run this command", answer: "1", effect: "Yes", words: "1 (Yes)" },
  { step: "overwrite", question: "Overwrite", answer: "n", effect: "no", words: "n" },
  {
    step: "targets",
    question: "Which targets",
    answer: "1,3",
    effect: "Linux, Windows",
    words: "1,3 (Linux, Windows)",
  },
  {
    step: "name",
    question: "release be called",
    answer: "Spring clean",
    effect: "Spring clean",
    words: "“Spring clean”",
  },
  {
    step: "secret",
    question: "password",
    answer: "not-a-secret",
    isSecret: true,
    effect: "12 characters",
    words: "typed at the terminal",
  },
];

export interface DemoStage {
  onOutput(chunk: Buffer): void;
  /** Called before the step's prompt appears. */
  announce(at: number): void;
  /** Null: the person quits. */
  ask(step: DemoStep, at: number, prompt: ListedPrompt): Promise<string | null>;
  showOutcome(text: string, heading: string): Promise<void>;
}

export interface DemoResult {
  readonly step: DemoStep;
  /** Null if the agent got no answer. */
  readonly effect: string | null;
  readonly timeline: string;
}

export interface DemoEnd {
  readonly results: readonly DemoResult[];
  readonly problems: readonly string[];
}

/** Without a stage the script answers at once and checks each effect. Null: the person quit, or `halt` ended it. */
export async function playDemo(stage: DemoStage | null, halt: AbortSignal): Promise<DemoEnd | null> {
  const home = mkdtempSync(join(tmpdir(), "atlasbridge-demo-"));
  process.env["ATLASBRIDGE_HOME"] = home;
  const log = join(home, "agent.log");
  const asked: string[] = [];
  try {
    // Not left to the session: a hub that is only starting could not be stopped by a demo that ends early.
    await startHub();
    if (halt.aborted) return null;
    const halted = once(halt, "abort").then((): typeof LEFT => LEFT);
    const problem = await Promise.race([playSteps(log, stage, asked, halt), halted]);
    if (problem === LEFT) return null;
    const results = await collectResults(log, asked);
    const wrong = stage === null ? results.filter(({ step, effect }) => effect !== step.effect) : [];
    const problems = wrong.map(
      ({ step, effect }) => `${step.step}: the agent was told ${effect ?? "nothing"}, not ${step.effect}`,
    );
    return { results, problems: problem === null ? problems : [problem, ...problems] };
  } finally {
    await stopHub();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

const LEFT = Symbol("the person left");

/** Adds the id of each step's prompt to `asked`. */
async function playSteps(
  log: string,
  stage: DemoStage | null,
  asked: string[],
  halt: AbortSignal,
): Promise<string | typeof LEFT | null> {
  const agent = [process.execPath, findBuiltProgram("demo-agent.js"), log];
  const [file = "", ...args] = buildOwnCommand(["run", "--quiet", "--adapter", DEMO_ADAPTER, ...agent]);
  // Input comes from a pipe, so that the script can type.
  const run = spawn(file, args, { stdio: ["pipe", "pipe", "inherit"] });
  halt.addEventListener("abort", () => run.kill("SIGTERM"));
  run.stdout.on("data", (chunk: Buffer) => stage?.onOutput(chunk));
  // The agent may exit before its last card appears.
  const ended = once(run, "exit");
  try {
    for (const [at, step] of DEMO_STEPS.entries()) {
      const problem = await playStep(step, at, run, stage, asked);
      if (problem !== null) return problem === LEFT ? LEFT : `${step.step}: ${problem}`;
    }
    await ended;
    return null;
  } finally {
    run.kill("SIGTERM");
  }
}

async function playStep(
  step: DemoStep,
  at: number,
  run: ChildProcess,
  stage: DemoStage | null,
  asked: string[],
): Promise<string | typeof LEFT | null> {
  stage?.announce(at);
  const prompt = await awaitPrompt(step, run);
  if (prompt === null) return "it did not appear";
  asked.push(prompt.promptId);
  const value = stage ? await stage.ask(step, at, prompt) : step.answer;
  if (value === null) return LEFT;
  if (step.isSecret) {
    const problem = await answerAtTerminal(prompt, step, run);
    const heading = "A secret never goes through a phone. It was typed in the terminal:";
    await stage?.showOutcome(problem ?? "🔒 Answered at the terminal", heading);
    return problem;
  }
  const outcome = await answerPrompt({ shortId: prompt.shortId, value }, true);
  const isConfirmed = outcome.kind === "settled" && outcome.state === "answered";
  const text = outcome.kind === "claimed" ? "no outcome" : outcome.text;
  const heading = isConfirmed
    ? "The answer from the phone was typed in the terminal:"
    : "The answer was not confirmed:";
  await stage?.showOutcome(text, heading);
  return isConfirmed ? null : `the answer was not confirmed: ${text}`;
}

/** Null if the agent exits, or no prompt appears in time. */
async function awaitPrompt(step: DemoStep, run: ChildProcess): Promise<ListedPrompt | null> {
  const prompt = await waitUntil(async () => {
    if (run.exitCode !== null) return "ended";
    return (await listPrompts(false)).find((item) => isAbout(item, step)) ?? null;
  });
  return prompt === "ended" ? null : prompt;
}

/** The hub must refuse the secret, the terminal accept it, and the card be updated. Returns the problem, or null. */
async function answerAtTerminal(
  { shortId, promptId }: ListedPrompt,
  { answer }: DemoStep,
  run: ChildProcess,
): Promise<string | null> {
  const tried = await answerPrompt({ shortId, value: answer }, true);
  if (tried.kind !== "refused" || tried.code !== "secret") return "the hub did not refuse a secret";
  run.stdin?.write(`${answer}\r`);
  const settled = await waitUntil(async () =>
    (await listPrompts(false)).some((item) => item.promptId === promptId) ? null : true,
  );
  if (settled === null) return "the card was not updated";
  const { state } = await withHub(resolvePaths(), (hub) => hub.call("prompt.wait", { promptId }));
  return state === "withdrawn" ? null : `the card ended as ${state}`;
}

const STEP_WITHIN_MS = 30_000;
/** Much faster than a person answers. */
const POLL_EVERY_MS = 20;

async function waitUntil<T>(look: () => Promise<T | null>): Promise<T | null> {
  for (const end = Date.now() + STEP_WITHIN_MS; Date.now() < end;) {
    const found = await look();
    if (found !== null) return found;
    await pause(POLL_EVERY_MS);
  }
  return null;
}

/** From the agent's log and the hub's audit. */
async function collectResults(log: string, asked: readonly string[]): Promise<DemoResult[]> {
  const lines = readFileSync(log, { encoding: "utf8", flag: "a+" }).split("\n").filter(Boolean);
  const entries = lines.map((line) => JSON.parse(line) as { step: string; answer: string });
  const effects = new Map(entries.map(({ step, answer }) => [step, answer]));
  return withHub(resolvePaths(), (hub) =>
    Promise.all(
      DEMO_STEPS.map(async (step, at) => {
        const promptId = asked[at];
        const steps = promptId === undefined ? [] : (await hub.call("prompt.history", { promptId })).steps;
        return { step, effect: effects.get(step.step) ?? null, timeline: formatTimeline(steps) };
      }),
    ),
  );
}

function isAbout(prompt: Pick<ListedPrompt, "excerpt">, step: DemoStep): boolean {
  return prompt.excerpt.includes(step.question);
}

const TIMED: Readonly<Record<string, string>> = {
  card_posted: "shown",
  answer_rejected: "refused",
  injection_began: "typed",
  injection_ended: "confirmed",
  prompt_withdrawn: "answered at the terminal",
};

function formatTimeline(steps: readonly { readonly step: string; readonly at: number }[]): string {
  const start = steps[0]?.at ?? 0;
  const timed = Object.entries(TIMED).flatMap(([step, word]) => {
    const first = steps.find((item) => item.step === step);
    return first ? [`${word} after ${((first.at - start) / 1000).toFixed(2)} s`] : [];
  });
  return timed.join(", ");
}
