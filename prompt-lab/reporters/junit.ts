/** For CI: JUnit XML, a suite for each tool. */
import { summarise, type Reporter, type ScenarioResult } from "../report.js";
import { drawBox } from "./pretty.js";

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
  // XML 1.0 cannot hold control characters or lone surrogates in any spelling.
  const legal = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, "\ufffd");
  return legal.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
