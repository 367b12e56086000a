/** Replays every recording without the rules that go with what is left out, and says how it is read then. */
import { compare } from "../../../prompt-lab/replay/compare.js";
import { findScenarios } from "../../../prompt-lab/scenario/find-scenarios.js";
import { readActual, replayScenario } from "../../../prompt-lab/replay/run-scenario.js";
import type { Expectations, Scenario } from "../../../prompt-lab/scenario/scenario.js";
import { createAdapterLoader } from "../../../src/plugins/adapters/adapters.js";
import type { CompiledAdapter } from "../../../src/worker/adapter-format/compiled/compiled.js";
import type { ReplayResult } from "../../../prompt-lab/replay/replay.js";
import { findLastChange } from "../last-change.js";
import { OWN } from "../page.js";
import {
  adapterWithout,
  isOneOfSeveral,
  KINDS,
  rulesLeftOut,
  type GroupKind,
  type Recording,
} from "./groups.js";

const READ_MS = 3000;
const NOTICED_MS = 60_000;

export interface Trial {
  readonly kind: GroupKind;
  readonly tool: string;
  /** Whether any rule was left out for it. */
  readonly changed: boolean;
  /** Whether something is asked at its end, of which choices or a kind can be read. */
  readonly asks: boolean;
  /** In time, as what it is and with what is asked. */
  readonly read: boolean;
  readonly noticed: boolean;
  readonly falsePrompts: number;
  /** Of those that are read; undefined where the label says nothing about it. */
  readonly type?: boolean;
  readonly choices?: boolean | undefined;
  readonly defaultChoice?: boolean | undefined;
}

export async function measureLeftOut(): Promise<readonly Trial[]> {
  const load = createAdapterLoader({ adaptersDir: "" });
  const scenarios = findScenarios(["prompt-lab/scenarios"]);
  const trials: Trial[] = [];
  for (const tool of new Set(scenarios.map((scenario) => scenario.tool))) {
    const adapter = await load(tool);
    if (!adapter.tested || tool === OWN) continue;
    const own = scenarios.filter((scenario) => scenario.tool === tool);
    trials.push(...(await measureTool(adapter, own)));
  }
  return trials;
}

async function measureTool(adapter: CompiledAdapter, scenarios: readonly Scenario[]): Promise<Trial[]> {
  const shown = new Map<Scenario, ReplayResult>();
  for (const scenario of scenarios) shown.set(scenario, await replayScenario(scenario, adapter));
  const recordings = [...shown].map(([scenario, { raised }]): Recording => ({
    scenario,
    rules: new Set(raised.map(({ candidate }) => candidate.rule)),
  }));
  const trials: Trial[] = [];
  for (const kind of KINDS) {
    for (const one of recordings) {
      if (!isOneOfSeveral(one, recordings, kind)) continue;
      const without = rulesLeftOut(one, recordings, kind);
      const changed = adapter.rules.some(({ name }) => without.has(name));
      trials.push(await tryWithout(one.scenario, { kind, adapter, without, changed }, shown));
    }
  }
  return trials;
}

interface Left {
  readonly kind: GroupKind;
  readonly adapter: CompiledAdapter;
  readonly without: ReadonlySet<string>;
  readonly changed: boolean;
}

async function tryWithout(
  scenario: Scenario,
  { kind, adapter, without, changed }: Left,
  whole: ReadonlyMap<Scenario, ReplayResult>,
): Promise<Trial> {
  const left = changed ? adapterWithout(adapter, without) : adapter;
  const settled = { ...scenario, settleMs: Math.max(scenario.settleMs, NOTICED_MS) };
  const old = whole.get(scenario);
  const isSilent = scenario.expected.type === null;
  const result = !changed && old ? old : await replayScenario(isSilent ? scenario : settled, left);
  return judge(scenario, { kind, adapter: left, changed }, result);
}

async function judge(
  scenario: Scenario,
  { kind, adapter, changed }: Pick<Left, "kind" | "adapter" | "changed">,
  result: ReplayResult,
): Promise<Trial> {
  const { expected, tool } = scenario;
  const asked = expected.type !== null;
  const others = result.raised.length - (result.pending ? 1 : 0);
  const wanted = expected.count === undefined ? others : Math.max(0, expected.count - (asked ? 1 : 0));
  const falsePrompts = Math.max(0, others - wanted) + (!asked && result.pending ? 1 : 0);
  const known = { kind, tool, changed, falsePrompts, asks: asked && expected.type !== "unknown" };
  const last = result.raised.at(-1);
  if (!asked || !result.pending || !last) return { ...known, read: false, noticed: false };
  const changedAt = await findLastChange(scenario, adapter, last, result.raised.at(-2));
  const ms = last.raisedAt - changedAt;
  const actual = readActual(result);
  const read = ms <= READ_MS && actual.type !== "unknown";
  const exact = {
    type: actual.type === expected.type,
    choices: holds(expected, "choices", () => actual),
    defaultChoice: holds(expected, "defaultChoice", () => actual),
  };
  return { ...known, read, noticed: ms <= NOTICED_MS, ...(read && exact) };
}

function holds(
  expected: Expectations,
  field: "choices" | "defaultChoice",
  actual: () => ReturnType<typeof readActual>,
): boolean | undefined {
  if (expected[field] === undefined) return undefined;
  return compare({ type: actual().type, [field]: expected[field] }, actual()).length === 0;
}
