/** `atlasbridge lab view` and `lab update`: what is in a scenario, and what is said of it. */
import { InvalidArgumentError, type Command } from "commander";
import { withAnswers } from "../answers.js";
import { filterOf, withFilter, type FilterFlags } from "./lab-filter.js";
import { printLines, report } from "../output.js";

interface ViewFlags {
  readonly at?: number;
  readonly rule?: string;
  readonly json: boolean;
}

export function registerView(lab: Command): void {
  lab
    .command("view")
    .summary("show a scenario's picture, which rules fire there, and why the others do not")
    .argument("<scenario>", "its file or its id; it need not be labelled")
    .option("--at <ms>", "at this instant of the recording (default: its end)", milliseconds)
    .option("--rule <name>", "only this rule of the adapter")
    .option("--json", "print one JSON object", false)
    .action(async (scenario: string, { at, rule, json }: ViewFlags) => {
      const { formatLook, lookData, viewScenario } = await import("../../lab/view.js");
      const view = { scenario, atMs: at ?? null, rule: rule ?? null };
      if (json)
        await report(
          true,
          async () => lookData(await viewScenario(view)),
          () => [],
        );
      else printLines(formatLook(await viewScenario(view)));
    });
}

export function registerUpdate(lab: Command): void {
  withFilter(lab.command("update"))
    .summary("label scenarios with what is seen today, each after it was shown and agreed to")
    .description(
      "Shows the picture and the change of every scenario whose labels do not fit (or that has none) and asks before it writes. Exit 1 if any was left as it is.",
    )
    .action(async (paths: string[], flags: FilterFlags) => {
      const { updateLabels } = await import("../../lab/update.js");
      const { total, changed, left } = await withAnswers((confirm) =>
        updateLabels({ paths, filter: filterOf(flags) }, { show: printLines, confirm }),
      );
      printLines([
        `Looked at ${total}: ${changed.length} labelled anew, ${left.length} left that do not fit.`,
      ]);
      if (left.length > 0) process.exitCode = 1;
    });
}

/** A day: no recording is longer. */
const AT_MAX_MS = 24 * 60 * 60 * 1000;

function milliseconds(text: string): number {
  const ms = Number(text);
  if (text.trim() !== "" && ms >= 0 && ms <= AT_MAX_MS) return ms;
  throw new InvalidArgumentError(`It is a number of milliseconds from 0 to ${AT_MAX_MS}.`);
}
