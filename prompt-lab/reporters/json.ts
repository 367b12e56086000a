/** For programs: a shape that does not change. */
import { summarise, type Reporter, type ScenarioResult } from "../report.js";

export const jsonReporter: Reporter = (results) =>
  `${JSON.stringify({ summary: summarise(results), scenarios: results.map(formatResult) }, null, 2)}\n`;

function formatResult(result: ScenarioResult): Record<string, unknown> {
  const { actual } = result;
  return {
    scenario_id: result.scenarioId,
    passed: result.failures.length === 0,
    failures: result.failures,
    actual: {
      type: actual.type,
      confidence: actual.confidence,
      safety_class: actual.safetyClass,
      excerpt: actual.excerpt,
      content: actual.content,
      choices: actual.choices,
      default: actual.defaultChoice,
      state: actual.state,
      count: actual.count,
    },
  };
}
