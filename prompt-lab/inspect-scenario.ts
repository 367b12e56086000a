/** One scenario seen closely: its picture at an instant, what happened until then, and what every rule says to that picture. */
import type { Signals } from "../src/sdk/view.js";
import type { CompiledAdapter } from "../src/worker/adapter-format/compiled/compiled.js";
import { explain, type RuleReport } from "./explain.js";
import { replay, type ReplayResult } from "./replay.js";
import { listFailures } from "./run-scenario.js";
import type { Draft } from "./scenario.js";

export interface ScenarioInspection {
  readonly draft: Draft;
  readonly shown: ReplayResult;
  readonly rules: readonly RuleReport[];
  /** What differs from what is expected; null where that was not asked or nobody has said yet what must be seen. */
  readonly failures: readonly string[] | null;
}

/** `atMs`: an instant of the recording; null: its end, settled, with the terminal's facts. */
export async function inspectScenario(
  draft: Draft,
  adapter: CompiledAdapter,
  atMs: number | null,
): Promise<ScenarioInspection> {
  const { cols, rows } = draft;
  const isEnd = atMs === null;
  const events = isEnd ? draft.events : draft.events.filter((event) => event.t_ms <= atMs);
  const tty: Signals = isEnd ? draft.tty : {};
  const settleMs = isEnd ? draft.settleMs : Math.max(0, atMs - (events.at(-1)?.t_ms ?? 0));
  const shown = await replay(adapter, events, { cols, rows, settleMs, tty });
  const failures = isEnd && draft.expected ? listFailures(draft, shown) : null;
  return { draft, shown, rules: explain(adapter, shown.view, tty), failures };
}
