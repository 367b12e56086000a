/** The demo without a terminal: a real run of the agent, answered through the hub; the secret is typed at the run's own input. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { answerPrompt } from "../client/ask-hub.js";
import { answerAtTerminal, awaitPrompt, startRun } from "./agent-run.js";
import { collectDemoResults, withDemoHome, type DemoResult } from "./demo.js";
import { DEMO_STEPS, type DemoStep } from "./script.js";

export interface AutoDemo {
  readonly results: readonly DemoResult[];
  /** What failed; empty if everything worked. */
  readonly problems: readonly string[];
}

export function runAutoDemo(onStep: (step: DemoStep) => void): Promise<AutoDemo> {
  return withDemoHome(async (home) => {
    const run = startRun(home, "ignore");
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

async function answerStep(step: DemoStep, run: ChildProcess): Promise<string | null> {
  const prompt = await awaitPrompt(step, run);
  if (prompt === null) return "it did not appear";
  if (step.value === null) return answerAtTerminal(prompt, step, run);
  const outcome = await answerPrompt({ shortId: prompt.shortId, value: step.value }, true);
  if (outcome.kind === "settled" && outcome.state === "answered") return null;
  return `the answer was not confirmed: ${outcome.kind === "claimed" ? "no outcome" : outcome.text}`;
}

function findEffectProblem({ step, effect }: DemoResult): string[] {
  return effect === step.effect
    ? []
    : [`${step.step}: the agent was told ${effect ?? "nothing"}, not ${step.effect}`];
}
