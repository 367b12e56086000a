import type { Command } from "commander";
import type { Check, Diagnosis } from "../../doctor/check.js";
import { EXIT } from "../../model/errors.js";
import { printResult } from "../output.js";

export function registerDoctor(program: Command): void {
  program
    .command("doctor")
    .summary("check the installation and say what to fix")
    .description(
      "Checks everything that AtlasBridge needs and starts nothing. Exit code 1 if something fails.",
    )
    .option("--json", "print one JSON object", false)
    .action(async ({ json }: { json: boolean }) => {
      const { diagnose } = await import("../../doctor/doctor.js");
      await printResult(
        json,
        async () => {
          const diagnosis = await diagnose();
          if (diagnosis.state === "fail") process.exitCode = EXIT.error;
          return diagnosis;
        },
        formatDiagnosis,
      );
    });
}

const MARKS = { ok: "ok  ", warn: "warn", fail: "FAIL" } as const;
const HANGING = " ".repeat(8);

export function formatDiagnosis({ version, checks }: Diagnosis): string[] {
  const groups = [...new Set(checks.map(({ group }) => group))];
  return [
    `AtlasBridge ${version}`,
    ...groups.flatMap((group) => [
      "",
      group,
      ...checks.filter((check) => check.group === group).flatMap(formatCheck),
    ]),
    "",
    summarize(checks),
  ];
}

function formatCheck({ state, name, found, action }: Check): string[] {
  const [first = "", ...rest] = found.split("\n");
  return [
    `  ${MARKS[state]}  ${name}: ${first}`,
    ...rest.map((line) => HANGING + line),
    ...(action === null ? [] : [`${HANGING}→ ${action}`]),
  ];
}

function summarize(checks: readonly Check[]): string {
  const failing = checks.filter(({ state }) => state === "fail").map(({ name }) => name);
  const warning = checks.filter(({ state }) => state === "warn").length;
  const warnings = `${warning} ${warning === 1 ? "warning" : "warnings"}`;
  if (failing.length > 0) return `To be fixed: ${[...new Set(failing)].join(", ")}. ${warnings}.`;
  return warning > 0 ? `Everything needed works. ${warnings} above (\`warn\`).` : "Everything works.";
}
