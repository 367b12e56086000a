/** A look at a scenario, written down for people. */
import type { Candidate } from "../src/sdk/candidate.js";
import type { View } from "../src/sdk/view.js";
import type { RuleReport } from "./explain.js";
import type { ReplayResult } from "./replay.js";
import type { ScenarioInspection } from "./inspect-scenario.js";
import { chooseSet } from "./situation.js";

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

/** With row numbers, for the reasons name rows; empty rows at the end are left out. */
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
