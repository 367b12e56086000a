/** For people: one line a scenario; a failure shows the last picture and what differs. */
import { summarise, type Reporter, type ScenarioResult } from "../report.js";

export const prettyReporter: Reporter = (results) => {
  const { total, passed, failed } = summarise(results);
  const counts = failed === 0 ? `all ${total} passed` : `${passed} passed, ${failed} failed of ${total}`;
  return `${results.map(formatResult).join("\n")}\n\n${counts}\n`;
};

function formatResult(result: ScenarioResult): string {
  const name = `${result.tool}  ${result.scenarioId}`;
  if (result.failures.length === 0) return `✓ ${name}`;
  return [
    `✗ ${name}  (${result.file})`,
    ...(result.description === "" ? [] : [`    ${result.description}`]),
    ...result.failures.map((failure) => `    - ${failure}`),
    ...drawBox(result.frame).map((row) => `    ${row}`),
  ].join("\n");
}

/** The picture without its empty rows at the end, between two rules. */
export function drawBox(frame: readonly string[]): readonly string[] {
  const rows = frame.slice(0, frame.findLastIndex((row) => row.trim() !== "") + 1);
  return ["┌─ last picture", ...rows.map((row) => `│${row}`), "└─"];
}
