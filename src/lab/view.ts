/** Composes the view of one scenario. */
export { formatInspection } from "../../prompt-lab/format-inspection.js";
import { inspectScenario, type ScenarioInspection } from "../../prompt-lab/inspect-scenario.js";
import { resolvePaths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { findNearest } from "../model/data/nearest.js";
import { loadAdapter } from "../plugins/adapters/adapters.js";
import { findDraft } from "./scenarios.js";

export interface LabViewOptions {
  /** A scenario's file or id; it may be unlabelled. */
  readonly scenario: string;
  /** ms of the recording; null: its end. */
  readonly atMs: number | null;
  /** Only this rule's reasons; null: all. */
  readonly rule: string | null;
}

/** Errors: ATB_USAGE (no such scenario or rule), ATB_SCENARIO_INVALID, ATB_ADAPTER_UNKNOWN, ATB_ADAPTER_INVALID. */
export async function viewScenario({ scenario, atMs, rule }: LabViewOptions): Promise<ScenarioInspection> {
  const paths = resolvePaths();
  const draft = findDraft(scenario, paths);
  const inspection = await inspectScenario(draft, await loadAdapter(draft.tool, paths), atMs);
  if (rule === null) return inspection;
  const rules = inspection.rules.filter((report) => report.rule === rule);
  if (rules.length > 0) return { ...inspection, rules };
  throw createNoRuleError(rule, inspection);
}

function createNoRuleError(rule: string, { draft, rules }: ScenarioInspection): AtlasBridgeError {
  const names = rules.map((report) => report.rule);
  const meant = findNearest(rule, names);
  return new AtlasBridgeError("ATB_USAGE", `the adapter ${draft.tool} has no rule "${rule}"`, {
    hint: meant === null ? `Available: ${names.join(", ")}.` : `Did you mean "${meant}"?`,
  });
}

/** As one JSON value with the scenario's field names. */
export function buildViewData({
  draft,
  shown,
  rules,
  failures,
}: ScenarioInspection): Record<string, unknown> {
  return {
    scenario_id: draft.scenarioId,
    file: draft.file,
    at_ms: shown.endedAt,
    cols: shown.view.cols,
    rows: shown.view.rows,
    cursor: shown.view.cursor,
    frame: shown.view.lines.map((line) => line.text),
    state: shown.state,
    raised: shown.raised.map(({ candidate, raisedAt, withdrawnAt, withdrawReason }) => ({
      rule: candidate.rule,
      type: candidate.promptType,
      question: candidate.question,
      raised_at_ms: raisedAt,
      withdrawn_at_ms: withdrawnAt,
      withdrawn_because: withdrawReason,
    })),
    rules: rules.map(({ rule, why, candidate }) => ({
      rule,
      fits: candidate !== null,
      missed: why && { condition: why.condition, row: why.row === null ? null : why.row + 1, text: why.text },
    })),
    failures,
  };
}
