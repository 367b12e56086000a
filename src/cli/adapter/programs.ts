/** `atlasbridge adapter test` and `probe`: program files against the real programs. */
import type { Command } from "commander";
import type { ProgramReport, ContractOutcome } from "../../lab/program-tests.js";
import { printResult } from "../output.js";
import { askToRun } from "../run/run-flags.js";

export function registerProgramTests(adapter: Command): void {
  register(adapter, "test", true)
    .summary("run the contract tests of program files; exit 1 if one fails")
    .description(
      "Starts each program afresh, runs the file's probe and its tests, and says what fails. A program that is not installed is skipped.",
    );
  register(adapter, "probe", false)
    .summary("say which programs work on this machine")
    .description("Starts each program, runs the file's probe, and prints what it said.");
}

function register(adapter: Command, name: string, withTests: boolean): Command {
  return adapter
    .command(name)
    .argument("[names...]", "programs or their files (default: all)")
    .option("--json", "print one JSON object", false)
    .action(async (names: string[], { json }: { json: boolean }) => {
      const { testPrograms } = await import("../../lab/program-tests.js");
      await printResult(
        json,
        async () => {
          const reports = await testPrograms(names, withTests, askToRun);
          if (reports.some(hasFailed)) process.exitCode = 1;
          return reports;
        },
        (reports) => reports.flatMap((report) => formatReport(report, withTests)),
      );
    });
}

function hasFailed({ problems, tests }: ProgramReport): boolean {
  return problems.length > 0 || tests.some((test) => test.problems.length > 0);
}

function formatReport(report: ProgramReport, withTests: boolean): readonly string[] {
  const { name, skipped, tests, problems, probe, executable } = report;
  if (skipped !== null) return [`- ${name}  skipped: ${skipped}`];
  const passed = tests.filter((test) => test.problems.length === 0).length;
  const counts = withTests
    ? `tests: ${passed} of ${tests.length}`
    : hasFailed(report)
      ? "does not work"
      : `works: ${executable ?? ""}`;
  return [
    `${hasFailed(report) ? "✗" : "✓"} ${name}  ${counts}${probe === null ? "" : `  (${probe.split("\n")[0] ?? ""})`}`,
    ...problems.map((problem) => `    - ${problem}`),
    ...tests.flatMap(formatFailure),
  ];
}

function formatFailure({ name, problems }: ContractOutcome): readonly string[] {
  return problems.map((problem) => `    - ${name}: ${problem}`);
}
