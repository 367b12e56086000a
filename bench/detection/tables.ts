/** The tables of the accuracy report, from measures. Pure, so that a test can hold the published ones against them. */
import { LAB_SETS, type LabSet } from "../../prompt-lab/scenario/situation.js";
import { quantile, type Report } from "../figures.js";
import { mutationTables } from "./mutations/tables.js";
import { KINDS, LATE_MS, type LateKind } from "./late.js";
import type { Ending, Measure } from "./measure.js";

const MS_PER_HOUR = 60 * 60 * 1000;
const SETS: Readonly<Record<LabSet, string>> = {
  develop: "The set that rules were written against",
  measure: "The set that is only measured with",
};

export function makeTables(measures: readonly Measure[]): readonly Report[] {
  const sets = LAB_SETS.toReversed().flatMap((set) => {
    const own = measures.filter((one) => one.set === set);
    return own.length === 0 ? [] : [byTool(set, own), byType(set, own), byKind(set, own)];
  });
  return [...sets, ...mutationTables(measures.flatMap(({ mutated }) => mutated))];
}

/** Everything that was asked in a recording, from its first byte to its end. */
function byTool(set: LabSet, measures: readonly Measure[]): Report {
  const tools = listNames(measures);
  const rows = tools.map((tool) =>
    toolRow(
      tool,
      measures.filter((one) => one.tool === tool),
    ),
  );
  return {
    title: SETS[set],
    text: "Whole recordings: every prompt that was asked in them, wherever.",
    columns: [
      "tool",
      "situations",
      "recordings",
      "hours",
      "prompts",
      "found",
      "recall",
      "false",
      "false an hour",
    ],
    rows: tools.length > 1 ? [...rows, toolRow("all", measures)] : rows,
  };
}

function toolRow(tool: string, measures: readonly Measure[]): string[] {
  const hours = sum(measures, ({ ms }) => ms) / MS_PER_HOUR;
  const [prompts, found, wrong] = (["prompts", "found", "falsePositives"] as const).map((key) =>
    sum(measures, (one) => one[key]),
  ) as [number, number, number];
  return [
    tool,
    String(new Set(measures.map(({ situation }) => situation)).size),
    String(measures.length),
    hours.toFixed(2),
    String(prompts),
    String(found),
    share(found, prompts),
    String(wrong),
    (wrong / hours).toFixed(2),
  ];
}

/** What stands at the end of a recording: that prompt is labelled in full. */
function byType(set: LabSet, measures: readonly Measure[]): Report {
  const rows = listNames(measures).flatMap((tool) => {
    const own = measures.filter((one) => one.tool === tool);
    const types = [...new Set(own.map(({ type }) => type))].sort((a, b) =>
      (a ?? "~").localeCompare(b ?? "~"),
    );
    return types.map((type) =>
      typeRow(
        tool,
        type,
        own.filter((one) => one.type === type),
      ),
    );
  });
  return {
    title: `${SETS[set]}: the prompt at the end`,
    text: "Of those whose label says something about it: exact of all. Times run from the last change of the prompt to its event.",
    columns: [
      "tool",
      "type",
      "recordings",
      "found",
      "type exact",
      "choices",
      "default",
      "content",
      "cut",
      "median ms",
      "p95 ms",
    ],
    rows,
  };
}

function typeRow(tool: string, type: Measure["type"], measures: readonly Measure[]): string[] {
  const count = String(measures.length);
  if (type === null) {
    const silent = measures.filter(({ falsePositives }) => falsePositives === 0).length;
    return [tool, "nothing asked", count, `${silent} silent`, ...Array<string>(7).fill("–")];
  }
  const endings = measures.flatMap(({ ending }) => ending ?? []);
  const contents = endings.flatMap(({ content }) => content ?? []);
  const latencies = endings.map(({ latencyMs }) => latencyMs);
  return [
    tool,
    type,
    count,
    String(endings.length),
    exact(endings, ({ type: isExact }) => isExact),
    exact(endings, ({ choices }) => choices),
    exact(endings, ({ defaultChoice }) => defaultChoice),
    contents.length === 0
      ? "–"
      : `${contents.filter((one) => one === "complete").length} of ${contents.length}`,
    String(contents.filter((one) => one === "cut").length),
    milliseconds(quantile(latencies, 0.5)),
    milliseconds(quantile(latencies, 0.95)),
  ];
}

/** What is on a screen is known when it is drawn; what is on a line only when it is known that somebody reads. */
function byKind(set: LabSet, measures: readonly Measure[]): Report {
  const rows = listNames(measures).flatMap((tool) => {
    const endings = measures.flatMap(({ tool: other, ending }) => (other === tool && ending) || []);
    return KINDS.flatMap((kind) => {
      const own = endings.filter((ending) => ending.kind === kind).map(({ latencyMs }) => latencyMs);
      return own.length === 0 ? [] : [[tool, NAMES[kind], String(own.length), ...formatTimes(own)]];
    });
  });
  return {
    title: `${SETS[set]}: from the last change to the event`,
    text: "The same times by what is waited for.",
    columns: ["tool", "of a", "prompts", "median ms", "p95 ms", "slowest ms"],
    rows,
  };
}

const NAMES: Readonly<Record<LateKind, string>> = {
  screen: "screen",
  line: "line, or a screen of any program",
  unread: "screen that nobody can read",
};

function formatTimes(latencies: readonly number[]): string[] {
  return [0.5, 0.95, 1].map((share) => milliseconds(quantile(latencies, share)));
}

function exact(endings: readonly Ending[], read: (ending: Ending) => boolean | undefined): string {
  const said = endings.flatMap((ending) => read(ending) ?? []);
  return said.length === 0 ? "–" : `${said.filter(Boolean).length} of ${said.length}`;
}

function milliseconds(value: number): string {
  return Number.isFinite(value) ? value.toFixed(0) : "–";
}

function share(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}

function listNames(measures: readonly Measure[]): string[] {
  return [...new Set(measures.map(({ tool }) => tool))].sort();
}

function sum(measures: readonly Measure[], read: (one: Measure) => number): number {
  return measures.reduce((total, one) => total + read(one), 0);
}

/** Only of the set that rules are written with: nobody looks at the other one. */
export function latePrompts(measures: readonly Measure[]): Report {
  const late = measures.flatMap(({ set, tool, scenarioId, ending }) =>
    set === "develop" && ending !== null && ending.latencyMs > LATE_MS
      ? [[tool, scenarioId, ending.latencyMs.toFixed(0), ending.cause]]
      : [],
  );
  return {
    title: `Raised later than ${LATE_MS} ms`,
    text: "In the set that rules are written against, and why.",
    columns: ["tool", "recording", "ms", "why"],
    rows: late,
  };
}
