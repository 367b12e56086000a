/** The demo without a terminal: a real run of the agent, answered through the hub; the secret is typed at the run's own input. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { resolvePaths } from "../config/paths.js";
import type { ListedPrompt } from "../wire/listings.js";
import { answerPrompt, listPrompts } from "../client/ask-hub.js";
import { withHub } from "../client/client.js";
import { buildOwnCommand } from "../client/connect/start-hub.js";
import {
  DEMO_ADAPTER,
  collectDemoResults,
  inDemoHome,
  isAbout,
  waitUntil,
  type DemoHome,
  type DemoResult,
} from "./demo.js";
import { DEMO_STEPS, type DemoStep } from "./script.js";

/** Enough for a loaded machine to start three processes many times over. */
const STEP_WITHIN_MS = 30_000;

export interface AutoDemo {
  readonly results: readonly DemoResult[];
  /** What failed; empty if everything worked. */
  readonly problems: readonly string[];
}

export function runAutoDemo(onStep: (step: DemoStep) => void): Promise<AutoDemo> {
  return inDemoHome(async (home) => {
    const run = startRun(home);
    // Listens from the start, because the agent may exit before its last card appears.
    const ended = once(run, "exit");
    const problems: string[] = [];
    try {
      for (const step of DEMO_STEPS) {
        onStep(step);
        const problem = await answerStep(step, run);
        if (problem) {
          problems.push(`${step.step}: ${problem}`);
          break;
        }
      }
      if (problems.length === 0) await ended;
      const results = await collectDemoResults(home);
      return { results, problems: [...problems, ...results.flatMap(findEffectProblem)] };
    } finally {
      run.kill("SIGTERM");
    }
  });
}

/** Pipes instead of a terminal: what is written to its input is what a person would type. */
function startRun({ command }: DemoHome): ChildProcess {
  const [file = "", ...args] = buildOwnCommand(["run", "--adapter", DEMO_ADAPTER, ...command]);
  return spawn(file, args, { stdio: ["pipe", "ignore", "inherit"] });
}

async function answerStep(step: DemoStep, run: ChildProcess): Promise<string | null> {
  const asked = async (): Promise<ListedPrompt | "ended" | null> => {
    if (run.exitCode !== null) return "ended";
    return (await listPrompts(false)).find((item) => isAbout(item, step)) ?? null;
  };
  const prompt = await waitUntil(asked, STEP_WITHIN_MS);
  if (prompt === null || prompt === "ended")
    return prompt ? "the agent exited before it" : "it did not appear";
  if (step.value === null) return answerAtTerminal(prompt.shortId, prompt.promptId, step, run);
  const outcome = await answerPrompt({ shortId: prompt.shortId, value: step.value }, true);
  if (outcome.kind === "settled" && outcome.state === "answered") return null;
  return `the answer was not confirmed: ${outcome.kind === "claimed" ? "no outcome" : outcome.text}`;
}

/** The hub must refuse the secret; the terminal must accept it, and the card must be updated. */
async function answerAtTerminal(
  shortId: string,
  promptId: string,
  step: DemoStep,
  run: ChildProcess,
): Promise<string | null> {
  const tried = await answerPrompt({ shortId, value: step.typed }, true);
  if (tried.kind !== "refused" || tried.code !== "secret") return "the hub did not refuse a secret";
  run.stdin?.write(`${step.typed}\r`);
  const settled = async (): Promise<true | null> =>
    (await listPrompts(false)).some((item) => item.promptId === promptId) ? null : true;
  if ((await waitUntil(settled, STEP_WITHIN_MS)) === null) return "the card was not updated";
  const { state } = await withHub(resolvePaths(), (hub) => hub.call("prompt.wait", { promptId }));
  return state === "withdrawn" ? null : `the card ended as ${state}`;
}

function findEffectProblem({ step, effect }: DemoResult): string[] {
  return effect === step.effect
    ? []
    : [`${step.step}: the agent was told ${effect ?? "nothing"}, not ${step.effect}`];
}
