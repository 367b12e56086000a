import type { Actual } from "./compare.js";

export interface ScenarioResult {
  readonly scenarioId: string;
  readonly tool: string;
  readonly file: string;
  readonly description: string;
  /** Empty if it passed. */
  readonly failures: readonly string[];
  readonly actual: Actual;
  /** The terminal's rows at the end. */
  readonly frame: readonly string[];
  /** In real time. */
  readonly elapsedMs: number;
}

export type Reporter = (results: readonly ScenarioResult[]) => string;

export interface Summary {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
}

export function summarise(results: readonly ScenarioResult[]): Summary {
  const failed = results.filter((result) => result.failures.length > 0).length;
  return { total: results.length, passed: results.length - failed, failed };
}

export const prettyReporter: Reporter = (results) => {
  const { total, passed, failed } = summarise(results);
  const counts = failed === 0 ? `all ${total} passed` : `${passed} passed, ${failed} failed of ${total}`;
  return `${results.map(formatLine).join("\n")}\n\n${counts}\n`;
};

function formatLine(result: ScenarioResult): string {
  const name = `${result.tool}  ${result.scenarioId}`;
  if (result.failures.length === 0) return `✓ ${name}`;
  return [
    `✗ ${name}  (${result.file})`,
    ...(result.description === "" ? [] : [`    ${result.description}`]),
    ...result.failures.map((failure) => `    - ${failure}`),
    ...drawBox(result.frame).map((row) => `    ${row}`),
  ].join("\n");
}

/** Without empty rows at the end. */
export function drawBox(frame: readonly string[]): readonly string[] {
  const rows = frame.slice(0, frame.findLastIndex((row) => row.trim() !== "") + 1);
  return ["┌─ last picture", ...rows.map((row) => `│${row}`), "└─"];
}

export const jsonReporter: Reporter = (results) =>
  `${JSON.stringify({ summary: summarise(results), scenarios: results.map(formatData) }, null, 2)}\n`;

function formatData(result: ScenarioResult): Record<string, unknown> {
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

export const junitReporter: Reporter = (results) => {
  const { total, failed } = summarise(results);
  const tools = [...new Set(results.map((result) => result.tool))];
  const suites = tools.map((tool) => formatSuite(tool, results));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="prompt-lab" tests="${total}" failures="${failed}" errors="0" time="${formatSeconds(results)}">`,
    ...suites,
    "</testsuites>\n",
  ].join("\n");
};

function formatSuite(tool: string, all: readonly ScenarioResult[]): string {
  const results = all.filter((result) => result.tool === tool);
  const { total, failed } = summarise(results);
  return [
    `  <testsuite name="${escape(tool)}" tests="${total}" failures="${failed}" errors="0" time="${formatSeconds(results)}">`,
    ...results.map(formatCase),
    "  </testsuite>",
  ].join("\n");
}

function formatCase(result: ScenarioResult): string {
  const open = `    <testcase classname="${escape(result.tool)}" name="${escape(result.scenarioId)}" file="${escape(result.file)}" time="${formatSeconds([result])}"`;
  const [first] = result.failures;
  if (first === undefined) return `${open}/>`;
  const details = [...result.failures, ...drawBox(result.frame)].join("\n");
  return `${open}>\n      <failure message="${escape(first)}">${escape(details)}</failure>\n    </testcase>`;
}

function formatSeconds(results: readonly ScenarioResult[]): string {
  return (results.reduce((sum, result) => sum + result.elapsedMs, 0) / 1000).toFixed(3);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

function escape(text: string): string {
  // XML 1.0 has no escapes for control characters and lone surrogates.
  const legal = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, "\ufffd");
  return legal.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
