/** The tables of recorded dialogs that were drawn otherwise, for docs/reference/accuracy.md. Pure. */
import type { Report } from "../../figures.js";
import { VERDICTS, type MutationTrial } from "./measure.js";

export function mutationTables(trials: readonly MutationTrial[]): readonly Report[] {
  if (trials.length === 0) return [];
  return [
    {
      title: "Recorded dialogs, drawn otherwise",
      text: "By what was changed. Every recording that ends with choices on the screen, of either set.",
      columns: ["change", ...COLUMNS],
      rows: rowsBy(trials, ({ mutation }) => mutation),
    },
    {
      title: "Recorded dialogs, drawn otherwise: by tool",
      text: "All changes together.",
      columns: ["tool", ...COLUMNS],
      rows: rowsBy(trials, ({ tool }) => tool),
    },
  ];
}

const COLUMNS = ["screens", ...VERDICTS, "read or noticed"];

function rowsBy(trials: readonly MutationTrial[], key: (trial: MutationTrial) => string): string[][] {
  const keys = [...new Set(trials.map(key))].sort();
  const rows = keys.map((name) => [name, ...cells(trials.filter((trial) => key(trial) === name))]);
  return [...rows, ["all", ...cells(trials)]];
}

function cells(trials: readonly MutationTrial[]): string[] {
  const counts = VERDICTS.map((verdict) => trials.filter((trial) => trial.verdict === verdict).length);
  const [read = 0, noticed = 0] = counts;
  const share = `${(((read + noticed) / trials.length) * 100).toFixed(1)} %`;
  return [String(trials.length), ...counts.map(String), share];
}
