import type { Command } from "commander";
import { registerBundle, registerKeygen, registerUpdate } from "../adapter/bundle.js";
import { printLines, printResult } from "../output.js";
import { askToRun } from "../run/run-flags.js";

export function registerAdapter(program: Command): void {
  const adapter = program
    .command("adapter")
    .summary("manage the adapters for tools: list, show, check, test, probe, new, trust, update")
    .description(
      "An adapter is a YAML file that describes how a tool's prompts look and how they are answered, or how a shell, an interpreter or a debugger is driven (a program file).",
    );
  registerList(adapter);
  registerShow(adapter);
  registerCheck(adapter);
  registerTests(adapter);
  registerNew(adapter);
  registerTrust(adapter);
  registerUpdate(adapter);
  registerBundle(adapter);
  registerKeygen(adapter);
}

function registerList(adapter: Command): void {
  adapter
    .command("list")
    .summary("list all adapters and where they come from: yours, bundles, the package")
    .option("--json", "print one JSON object", false)
    .action(async ({ json }: { json: boolean }) => {
      const { formatListed, listAdapters } = await import("../../../prompt-lab/check/adapter-files.js");
      await printResult(json, listAdapters, (adapters) => adapters.map(formatListed));
    });
}

function registerShow(adapter: Command): void {
  adapter
    .command("show")
    .summary("show an adapter: its file, its tool and its rules")
    .argument("<name>", "the adapter")
    .option("--json", "print one JSON object: the whole file, compiled", false)
    .action(async (name: string, { json }: { json: boolean }) => {
      const { formatShown, showAdapter } = await import("../../../prompt-lab/check/adapter-files.js");
      await printResult(json, () => showAdapter(name), formatShown);
    });
}

function registerCheck(adapter: Command): void {
  adapter
    .command("check")
    .summary("check an adapter; exit 1 if something is wrong")
    .description(
      "Checks the file (schema, patterns with bounded run time, name) and replays the tool's scenarios: each rule must match in at least one, at least one must match nothing, none may fail, and none may contain private data. Of a program file only the file is checked: `adapter test` runs it.",
    )
    .argument("[names...]", "adapters or their files (default: all)")
    .option("--scenarios <paths...>", "scenario files or folders (default: this checkout's and your own)")
    .option("--json", "print one JSON object", false)
    .action(async (names: string[], { scenarios = [], json }: { scenarios?: string[]; json: boolean }) => {
      const { checkFiles, formatCheck } = await import("../../../prompt-lab/check/adapter-files.js");
      const check = async () => {
        const checks = await checkFiles({ names, scenarios });
        if (checks.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
        return checks;
      };
      await printResult(json, check, (checks) => checks.flatMap(formatCheck));
    });
}

function registerTests(adapter: Command): void {
  registerTest(adapter, "test", true)
    .summary("run the contract tests of program files; exit 1 if one fails")
    .description(
      "Starts each program afresh, runs the file's probe and its tests, and says what fails. A program that is not installed is skipped.",
    );
  registerTest(adapter, "probe", false)
    .summary("say which programs work on this machine")
    .description("Starts each program, runs the file's probe, and prints what it said.");
}

function registerTest(adapter: Command, name: string, withTests: boolean): Command {
  return adapter
    .command(name)
    .argument("[names...]", "programs or their files (default: all)")
    .option("--json", "print one JSON object", false)
    .action(async (names: string[], { json }: { json: boolean }) => {
      const lab = await import("../../../prompt-lab/check/program-tests.js");
      const test = async () => {
        const reports = await lab.testPrograms(names, withTests, askToRun);
        if (reports.some(lab.hasFailed)) process.exitCode = 1;
        return reports;
      };
      await printResult(json, test, (reports) =>
        reports.flatMap((report) => lab.formatReport(report, withTests)),
      );
    });
}

interface NewFlags {
  readonly executable?: string;
  readonly package: boolean;
  readonly program: boolean;
}

function registerNew(adapter: Command): void {
  adapter
    .command("new")
    .summary("write a commented adapter and its first scenarios")
    .argument("<name>", "the tool, as people call it")
    .option("--executable <command>", "the tool's executable (default: its name)")
    .option("--package", "write into this checkout instead of your configuration", false)
    .option("--program", "for a shell, an interpreter or a debugger", false)
    .action(
      async (name: string, { executable = name, package: intoPackage, program: isProgram }: NewFlags) => {
        const { createAdapter, createProgram } = await import("../../../prompt-lab/check/new-file.js");
        const options = { name, executable, intoPackage };
        const files = isProgram ? [createProgram(options)] : createAdapter(options);
        printLines([
          ...files.map((file) => `${file} written.`),
          `Check ${isProgram ? "it" : "them"}: atlasbridge adapter check ${name}`,
          isProgram
            ? `Then change it until its tests are green: atlasbridge adapter test ${name}`
            : "Next, record the tool and label its screens: docs/how-to/add-an-adapter.md",
        ]);
      },
    );
}

function registerTrust(adapter: Command): void {
  adapter
    .command("trust")
    .summary("agree to run adapter files of yours, as their first run would ask")
    .description(
      "An adapter file is a program: it names what is started, and with which variables. Your own files are run only once you agreed, and a changed file needs it again.",
    )
    .argument("<names...>", "adapters or their files")
    .action(async (names: string[]) => {
      const { trustAdapters } = await import("../../../prompt-lab/check/adapter-files.js");
      const { describeOwnFile } = await import("../adapter/ask-to-run.js");
      const trusted = await trustAdapters(names);
      printLines(["May be run until changed:", ...trusted.flatMap(describeOwnFile)]);
    });
}
