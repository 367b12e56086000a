/** Which prompts were raised late, and why. Of the set that rules are written against only: nobody looks at the other one. */
import type { Candidate } from "../../src/sdk/candidate.js";
import { STABLE_MS } from "../../src/worker/adapter-format/compiled/compile-rules.js";
import type { CompiledAdapter } from "../../src/worker/adapter-format/compiled/compiled.js";
import { wantsFacts } from "../../src/worker/detection/stable-ms.js";
import type { Report } from "../figures.js";
import type { Measure } from "./measure.js";

/** What a prompt on a screen may take from its last change. */
export const LATE_MS = 150;

/** What a prompt waits for besides being drawn: nothing, the kernel's word that somebody reads, or that no rule reads it after all. */
export const KINDS = ["screen", "line", "unread"] as const;
export type LateKind = (typeof KINDS)[number];

export function classifyKind({ rules }: CompiledAdapter, candidate: Candidate): LateKind {
  const rule = rules.find(({ name }) => name === candidate.rule);
  if (!rule) return "unread";
  return wantsFacts(rule) ? "line" : "screen";
}

/** From the rule that found it: what made it wait for so long. */
export function causeOfWait(adapter: CompiledAdapter, candidate: Candidate, latencyMs: number): string {
  const rule = adapter.rules.find(({ name }) => name === candidate.rule);
  if (!rule) return "nobody can read it";
  if (rule.stableMs > STABLE_MS) return `its rule wants it to be still for ${rule.stableMs} ms`;
  if (adapter.code?.computeLayoutMs && latencyMs > LATE_MS) return "rows of it might still have been missing";
  if (wantsFacts(rule)) return "nothing is known of the terminal before the end";
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
