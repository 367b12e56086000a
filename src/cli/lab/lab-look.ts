/** `atlasbridge lab view` and `lab update`: show a scenario, and update its labels. */
import { InvalidArgumentError, type Command } from "commander";
import { withConfirmation } from "../answers.js";
import { buildFilter, addFilterOptions, type FilterFlags } from "./lab-filter.js";
import { printLines, printResult } from "../output.js";

interface ViewFlags {
  readonly at?: number;
  readonly rule?: string;
  readonly json: boolean;
}

export function registerView(lab: Command): void {
  lab
    .command("view")
    .summary("show a scenario's screen, which rules match, and why the others do not")
    .argument("<scenario>", "its file or id; it may be unlabelled")
    .option("--at <ms>", "time within the recording (default: its end)", parseMilliseconds)
    .option("--rule <name>", "only this rule of the adapter")
    .option("--json", "print one JSON object", false)
    .action(async (scenario: string, { at, rule, json }: ViewFlags) => {
      const { formatInspection, buildViewData, viewScenario } = await import("../../lab/view.js");
      const view = { scenario, atMs: at ?? null, rule: rule ?? null };
      if (json)
        await printResult(
          true,
          async () => buildViewData(await viewScenario(view)),
          () => [],
        );
      else printLines(formatInspection(await viewScenario(view)));
    });
}

export function registerUpdate(lab: Command): void {
  addFilterOptions(lab.command("update"))
    .summary("relabel scenarios with the current results, each after confirmation")
    .description(
      "For every scenario whose labels do not match (or that has none), shows the screen and the change, and asks before writing. Exit 1 if any was left unchanged.",
    )
    .action(async (paths: string[], flags: FilterFlags) => {
      const { updateLabels } = await import("../../lab/update.js");
      const { total, changed, left } = await withConfirmation((confirm) =>
        updateLabels({ paths, filter: buildFilter(flags) }, { show: printLines, confirm }),
      );
      printLines([`Checked ${total}: ${changed.length} relabelled, ${left.length} left that do not match.`]);
      if (left.length > 0) process.exitCode = 1;
    });
}

/** A day: longer than any recording. */
const AT_MAX_MS = 24 * 60 * 60 * 1000;

function parseMilliseconds(text: string): number {
  const ms = Number(text);
  if (text.trim() !== "" && ms >= 0 && ms <= AT_MAX_MS) return ms;
  throw new InvalidArgumentError(`Expected a number of milliseconds from 0 to ${AT_MAX_MS}.`);
}
