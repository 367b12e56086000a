/** Why a prompt is raised late. */
import type { Candidate } from "../../src/sdk/candidate.js";
import { STABLE_MS } from "../../src/worker/adapter-format/compiled/compile-rules.js";
import type { CompiledAdapter } from "../../src/worker/adapter-format/compiled/compiled.js";
import { wantsFacts } from "../../src/worker/detection/stable-ms.js";

/** A prompt that is raised later than this after its last change is late. */
export const LATE_MS = 150;

/** Read from the screen, from a line once the kernel says that the program reads, or by no rule. */
export const KINDS = ["screen", "line", "unread"] as const;
export type LateKind = (typeof KINDS)[number];

export function classifyKind({ rules }: CompiledAdapter, candidate: Candidate): LateKind {
  const rule = rules.find(({ name }) => name === candidate.rule);
  if (!rule) return "unread";
  return wantsFacts(rule) ? "line" : "screen";
}

export function causeOfWait(adapter: CompiledAdapter, candidate: Candidate, latencyMs: number): string {
  const rule = adapter.rules.find(({ name }) => name === candidate.rule);
  if (!rule) return "nobody can read it";
  if (rule.stableMs > STABLE_MS) return `its rule wants it to be still for ${rule.stableMs} ms`;
  if (adapter.code?.computeLayoutMs && latencyMs > LATE_MS) return "rows of it might still have been missing";
  if (wantsFacts(rule)) return "nothing is known of the terminal before the end";
  return "its drawing took longer";
}
