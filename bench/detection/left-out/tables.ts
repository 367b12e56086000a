/** The table of what is left out, for docs/reference/accuracy.md. Pure. */
import type { Report } from "../../figures.js";
import { KINDS } from "./groups.js";
import type { Trial } from "./measure.js";

export function leftOutTable(trials: readonly Trial[]): Report {
  const tools = [...new Set(trials.map(({ tool }) => tool))].sort();
  const rows = KINDS.flatMap((kind) => {
    const own = trials.filter((trial) => trial.kind === kind);
    const byTool = tools.map((tool) =>
      cells(
        kind,
        tool,
        own.filter((trial) => trial.tool === tool),
      ),
    );
    return [...byTool, cells(kind, "all", own)];
  });
  return {
    title: "Recordings read without the rules that they led to",
    text: "Shares of the recordings that ask something at their end; type, choices and default: exact of those that are read.",
    columns: [
      "left out",
      "tool",
      "ask",
      "of them changed",
      "read",
      "noticed",
      "false",
      "type",
      "choices",
      "default",
    ],
    rows,
  };
}

function cells(kind: string, tool: string, trials: readonly Trial[]): string[] {
  const asking = trials.filter(({ asks }) => asks);
  const read = asking.filter((trial) => trial.read);
  return [
    kind,
    tool,
    String(asking.length),
    String(asking.filter(({ changed }) => changed).length),
    share(asking.map((trial) => trial.read)),
    share(asking.map(({ noticed }) => noticed)),
    String(trials.reduce((sum, { falsePrompts }) => sum + falsePrompts, 0)),
    share(read.map(({ type }) => type)),
    share(read.map(({ choices }) => choices)),
    share(read.map(({ defaultChoice }) => defaultChoice)),
  ];
}

function share(values: readonly (boolean | undefined)[]): string {
  const said = values.filter((value) => value !== undefined);
  return said.length === 0 ? "–" : (said.filter(Boolean).length / said.length).toFixed(3);
}
