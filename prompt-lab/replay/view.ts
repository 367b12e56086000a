/** Shows a scenario at one instant: its picture, the events until then, and what every rule says. */
import { resolvePaths } from "../../src/config/paths.js";
import { AtlasBridgeError } from "../../src/model/errors.js";
import { findNearest } from "../../src/model/data/nearest.js";
import { loadAdapter } from "../../src/plugins/adapters/adapters.js";
import { findDraft } from "../scenario/find-scenarios.js";
import type { Signals, View } from "../../src/sdk/view.js";
import type { CompiledAdapter } from "../../src/worker/adapter-format/compiled/compiled.js";
import { explain, type RuleReport } from "./explain.js";
import { replay, type ReplayResult } from "./replay.js";
import { listFailures } from "./run-scenario.js";
import type { Draft } from "../scenario/scenario.js";
import type { Candidate } from "../../src/sdk/candidate.js";
import { chooseSet } from "../scenario/situation.js";

export interface LabViewOptions {
  /** File or id; may be unlabelled. */
  readonly scenario: string;
  /** On the recording's clock; null: the end. */
  readonly atMs: number | null;
  /** Null: all rules. */
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

export interface ScenarioInspection {
  readonly draft: Draft;
  readonly shown: ReplayResult;
  readonly rules: readonly RuleReport[];
  /** Null for an unlabelled scenario, or before the end. */
  readonly failures: readonly string[] | null;
}

/** `atMs` null: the settled end with the terminal's facts. */
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

export function formatInspection({ draft, shown, rules, failures }: ScenarioInspection): readonly string[] {
  const { tool, scenarioId, situation, file, description } = draft;
  return [
    `${tool}  ${scenarioId}  (${file})`,
    ...(description === "" ? [] : [`    ${description}`]),
    `    situation ${situation}, set ${chooseSet(situation)}`,
    "",
    ...formatPicture(shown),
    "",
    "What happened",
    ...formatEvents(shown).map(indent),
    "",
    "Rules, the first that fits counts",
    ...rules
      .flatMap((report) =>
        formatRule(
          report,
          rules.find(({ why }) => why === null),
        ),
      )
      .map(indent),
    ...formatFailures(failures),
  ];
}

function indent(line: string): string {
  return `  ${line}`;
}

/** Rows are numbered, because reasons refer to them. */
export function formatPicture({ view, endedAt }: Pick<ReplayResult, "view" | "endedAt">): readonly string[] {
  const last = view.lines.findLastIndex((line) => line.text !== "");
  const drawn = view.lines.slice(0, Math.max(last, view.cursor.y) + 1);
  const width = String(view.rows).length;
  return [
    `┌─ at ${Math.round(endedAt)} ms, ${view.cols}×${view.rows}, ${formatCursor(view)}`,
    ...drawn.map(({ text }, row) => `│${String(row + 1).padStart(width)} ${text}`),
    "└─",
  ];
}

function formatCursor({ cursor, modes }: View): string {
  const place = `${cursor.visible ? "" : "hidden "}cursor in row ${cursor.y + 1}, column ${cursor.x + 1}`;
  return modes.alternateScreen ? `${place}, alternate screen` : place;
}

function formatEvents({ raised, states }: ReplayResult): readonly string[] {
  const events = [
    ...states.map(({ at, state }) => ({ at, text: `state: ${state}` })),
    ...raised.map(({ candidate, raisedAt }) => ({
      at: raisedAt,
      text: `raised: ${formatPrompt(candidate)}`,
    })),
    ...raised.flatMap(({ withdrawnAt, withdrawReason }) =>
      withdrawnAt === null ? [] : [{ at: withdrawnAt, text: `withdrawn: ${withdrawReason ?? ""}` }],
    ),
  ];
  const lines = events
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, text }) => `${`${Math.round(at)} ms`.padStart(9)}  ${text}`);
  return lines.length > 0 ? lines : ["nothing was raised, and no state is known"];
}

function formatPrompt({ promptType, safetyClass, rule, score, question }: Candidate): string {
  return `${promptType}, ${safetyClass}, ${score.toFixed(2)} (rule ${rule}) ${JSON.stringify(question)}`;
}

function formatRule(report: RuleReport, first: RuleReport | undefined): readonly string[] {
  const { rule, why, candidate } = report;
  if (candidate && report !== first) return [`· ${rule}: fits, too`];
  if (candidate) return [`✓ ${rule}: ${formatPrompt(candidate)}`, ...formatFound(candidate).map(indent)];
  if (!why) return [];
  const place = why.row === null ? "" : ` row ${why.row + 1}:`;
  return [`✗ ${rule}: ${why.condition}:${place} ${why.text}`];
}

function formatFound({ choices, highlighted, content, region }: Candidate): readonly string[] {
  return [
    `rows ${region.top + 1} to ${region.bottom + 1}`,
    ...choices.map(({ label, intent }, index) => {
      const mark = index + 1 === highlighted ? "❯" : " ";
      return `${mark} ${index + 1}. ${label}  (${intent})`;
    }),
    formatCut(content.cut),
    ...content.text.split("\n").map((line) => `│ ${line}`),
  ];
}

function formatCut(cut: Candidate["content"]["cut"]): string {
  if (cut === null) return "content, complete:";
  return cut.missing === undefined ? "content, cut:" : `content, cut (${cut.missing}):`;
}

function formatFailures(failures: ScenarioInspection["failures"]): readonly string[] {
  if (failures === null) return [];
  const lines = failures.length === 0 ? ["✓ all as expected"] : failures.map((failure) => `✗ ${failure}`);
  return ["", "Expected", ...lines.map(indent)];
}
