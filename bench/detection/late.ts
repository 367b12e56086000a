/** Which prompts were raised late, and why. Of the set that rules are written against only: nobody looks at the other one. */
import type { Candidate } from "../../src/sdk/candidate.js";
import { STABLE_MS } from "../../src/worker/detect/compile-rules.js";
import type { CompiledAdapter } from "../../src/worker/detect/compiled.js";
import { isOnALine } from "../../src/worker/detect/shapes/on-a-line.js";
import type { Report } from "../figures.js";
import type { Measure } from "./measure.js";

/** What a prompt on a screen may take from its last change. */
const LATE_MS = 150;

/** From the rule that found it: what made it wait for so long. */
export function causeOfWait({ rules }: CompiledAdapter, candidate: Candidate, latencyMs: number): string {
  const rule = rules.find(({ name }) => name === candidate.rule);
  if (!rule) return "nobody can read it";
  if (rule.fitting && latencyMs >= rule.fitting.stableMs)
    return "it may still have to be fitted into the screen";
  if (rule.stableMs > STABLE_MS) return `its rule wants it to be still for ${rule.stableMs} ms`;
  if (isOnALine(candidate) || rule.tty !== null) return "nothing is known of the terminal before the end";
  return "its drawing took longer";
}

export function latePrompts(measures: readonly Measure[]): Report {
  const late = measures.flatMap(({ set, tool, scenarioId, ending }) =>
    set === "develop" && ending !== null && ending.latencyMs > LATE_MS
      ? [[tool, scenarioId, ending.latencyMs.toFixed(0), ending.cause]]
      : [],
  );
  return {
    title: `Raised later than ${LATE_MS} ms`,
    text: "In the set that rules are written against, and why.",
    columns: ["tool", "recording", "ms", "why"],
    rows: late,
  };
}
