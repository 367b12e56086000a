/** One scenario measured: what had to be found, what was found, and how exact that was. Deterministic: the clock is virtual. */
import { compare, type Actual } from "../../prompt-lab/replay/compare.js";
import { readActual } from "../../prompt-lab/replay/run-scenario.js";
import type { Expectations, Scenario } from "../../prompt-lab/scenario/scenario.js";
import { chooseSet, type LabSet } from "../../prompt-lab/scenario/situation.js";
import { assertInvariant } from "../../src/model/errors.js";
import type { PromptType } from "../../src/model/prompt.js";
import type { CompiledAdapter } from "../../src/worker/adapter-format/compiled/compiled.js";
import type { ReplayResult } from "../../prompt-lab/replay/replay.js";
import { findLastChange } from "./last-change.js";
import { tryMutations, type MutationTrial } from "./mutations/measure.js";
import { causeOfWait, classifyKind, type LateKind } from "./late.js";

export interface Measure {
  readonly scenarioId: string;
  readonly tool: string;
  readonly set: LabSet;
  readonly situation: string;
  /** Of the prompt that stands at the end; null: nothing is asked there. */
  readonly type: PromptType | null;
  /** Of the recording and the silence behind it. */
  readonly ms: number;
  /** In the whole recording. */
  readonly prompts: number;
  readonly found: number;
  readonly falsePositives: number;
  /** The prompt at the end; null where there is none, or none was found. */
  readonly ending: Ending | null;
  /** The same prompt, drawn otherwise. */
  readonly mutated: readonly MutationTrial[];
}

/** Undefined: the scenario says nothing about it. */
export interface Ending {
  readonly type: boolean;
  readonly choices: boolean | undefined;
  readonly defaultChoice: boolean | undefined;
  readonly content: "complete" | "cut" | "missing" | undefined;
  /** From its last change, whatever else moves on the screen, to the event. */
  readonly latencyMs: number;
  /** Why it was not raised at once, as far as its rule says. */
  readonly cause: string;
  readonly kind: LateKind;
}

/** `shown` is what the scenario showed. */
export async function measure(
  scenario: Scenario,
  shown: ReplayResult,
  adapter: CompiledAdapter,
): Promise<Measure> {
  const { scenarioId, tool, situation, expected, settleMs, events } = scenario;
  const isMissed = expected.type !== null && shown.pending === null;
  const isFalse = expected.type === null && shown.pending !== null;
  // What stands at the end is right or wrong by itself; of the others at most their number is known.
  const others = shown.raised.length - (shown.pending ? 1 : 0);
  const atEnd = expected.type === null ? 0 : 1;
  const wantedOthers = expected.count === undefined ? others : Math.max(0, expected.count - atEnd);
  return {
    scenarioId,
    tool,
    situation,
    set: chooseSet(situation),
    type: expected.type,
    ms: (events.at(-1)?.t_ms ?? 0) + settleMs,
    prompts: wantedOthers + atEnd,
    found: Math.min(others, wantedOthers) + (isMissed ? 0 : atEnd),
    falsePositives: Math.max(0, others - wantedOthers) + (isFalse ? 1 : 0),
    ending: expected.type === null || isMissed ? null : await measureEnding(scenario, shown, adapter),
    mutated: tryMutations(scenario, shown, adapter),
  };
}

async function measureEnding(
  scenario: Scenario,
  shown: ReplayResult,
  adapter: CompiledAdapter,
): Promise<Ending> {
  const { expected } = scenario;
  const actual = readActual(shown);
  const [before, raised] = [shown.raised.at(-2), shown.raised.at(-1)];
  assertInvariant(raised, "what is pending was raised");
  const latencyMs = raised.raisedAt - (await findLastChange(scenario, adapter, raised, before));
  return {
    type: actual.type === expected.type,
    choices: holds(expected, actual, "choices"),
    defaultChoice: holds(expected, actual, "defaultChoice"),
    content: readContent(expected, actual, shown),
    latencyMs,
    cause: causeOfWait(adapter, raised.candidate, latencyMs),
    kind: classifyKind(adapter, raised.candidate),
  };
}

function holds(expected: Expectations, actual: Actual, field: keyof Expectations): boolean | undefined {
  if (expected[field] === undefined) return undefined;
  return compare({ type: actual.type, [field]: expected[field] }, actual).length === 0;
}

function readContent(expected: Expectations, actual: Actual, { pending }: ReplayResult): Ending["content"] {
  const isWhole = holds(expected, actual, "contentContains");
  if (isWhole !== false) return isWhole && "complete";
  return pending?.candidate.content.cut ? "cut" : "missing";
}
