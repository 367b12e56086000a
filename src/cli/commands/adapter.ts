/** `atlasbridge adapter`: the adapters for tools. */
import type { Command } from "commander";
import type { AdapterCheck, ListedAdapter, ShownAdapter } from "../../lab/adapter-files.js";
import type { ProgramCheck } from "../../lab/program-files.js";
import { registerBundle, registerKeygen, registerUpdate } from "../adapter/bundle.js";
import { formatOrigin } from "../adapter/origin.js";
import { printLines, printResult } from "../output.js";
import { registerProgramTests } from "../adapter/programs.js";

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
  registerProgramTests(adapter);
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
      const { listAdapters } = await import("../../lab/adapter-files.js");
      const { listProgramFiles } = await import("../../lab/program-files.js");
      await printResult(
        json,
        async () => [...listAdapters(), ...(await listProgramFiles())],
        (adapters) => adapters.flatMap(formatListed),
      );
    });
}

function formatListed({
  name,
  version,
  description,
  origin,
  over,
  tested,
  supportedVersions,
  problem,
}: ListedAdapter): string[] {
  if (problem !== null) return [`${name.padEnd(NAME_WIDTH)} cannot be used: ${problem}`];
  const place = origin.kind === "package" ? "" : formatOrigin(origin);
  const instead = over.length > 0 ? ` instead of ${over.map(formatOrigin).join(" and ")}` : "";
  const marks = [place + instead, tested ? "" : "not tested", supportedVersions ?? ""].filter(
    (mark) => mark !== "",
  );
  return [
    `${name.padEnd(NAME_WIDTH)} ${version}  ${description}${marks.length > 0 ? `  (${marks.join(", ")})` : ""}`,
  ];
}

/** Most names are shorter. */
const NAME_WIDTH = 14;

function registerShow(adapter: Command): void {
  adapter
    .command("show")
    .summary("show an adapter: its file, its tool and its rules")
    .argument("<name>", "the adapter")
    .option("--json", "print one JSON object: the whole file, compiled", false)
    .action(async (name: string, { json }: { json: boolean }) => {
      const { showAdapter } = await import("../../lab/adapter-files.js");
      const { isProgramFile, showProgram } = await import("../../lab/program-files.js");
      if (isProgramFile(name))
        await printResult(
          json,
          () => showProgram(name),
          ({ lines }) => lines,
        );
      else await printResult(json, () => Promise.resolve(showAdapter(name)), formatShown);
    });
}

function formatShown({ file, adapter }: ShownAdapter): readonly string[] {
  const { name, version, description, tested, supportedVersions, process, aliases, states, unread, rules } =
    adapter;
  const { coattach, hooks } = adapter;
  const executables = process.executables.length > 0 ? process.executables : [name];
  return [
    `${name} ${version}  ${description}`,
    `  file        ${file}`,
    `  starts      ${[...executables, ...aliases].join(", ")}`,
    ...(supportedVersions === null ? [] : [`  versions    ${supportedVersions}`]),
    ...(tested ? [] : ["  tested      no, it was made without recordings of the tool"]),
    ...Object.entries(states).flatMap(([state, patterns]) =>
      patterns.length > 0
        ? [`  ${state.padEnd(11)} ${patterns.map(({ pattern }) => pattern).join("  ")}`]
        : [],
    ),
    // Best way first, each with its versions; a command line may rule some out.
    ...(coattach ? [`  joined      ${coattach.versions}`] : []),
    ...(hooks ? [`  hooks       ${hooks.versions}`] : []),
    `  unread      ${unread}`,
    "  rules, the first that fits counts",
    ...rules.map(
      (rule) =>
        `    ${rule.name.padEnd(NAME_WIDTH)} ${rule.shape}, ${rule.safetyClass}, ${rule.score.toFixed(2)}`,
    ),
  ];
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
      const { checkAdapters } = await import("../../lab/adapter-files.js");
      const { checkPrograms, namesProgram: speaksOfProgram } = await import("../../lab/program-files.js");
      const programs = names.filter(speaksOfProgram);
      const tools = names.filter((name) => !programs.includes(name));
      await printResult(
        json,
        async () => {
          const all = names.length === 0;
          const checks = [
            ...(all || tools.length > 0 ? await checkAdapters({ names: tools, scenarios }) : []),
            ...(all || programs.length > 0 ? await checkPrograms(programs) : []),
          ];
          if (checks.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
          return checks;
        },
        (checks) => checks.flatMap(formatCheck),
      );
    });
}

function formatCheck(check: AdapterCheck | ProgramCheck): readonly string[] {
  const { name, problems, notes } = check;
  const counts =
    "tests" in check
      ? `tests: ${check.tests} (run them: atlasbridge adapter test ${name})`
      : `rules: ${check.rules.length}, scenarios: ${check.scenarios}, silent: ${check.silent}`;
  return [
    `${problems.length === 0 ? "✓" : "✗"} ${name}  ${counts}`,
    ...problems.map((problem) => `    - ${problem}`),
    ...notes.map((note) => `    · ${note}`),
  ];
}

interface NewFlags {
  readonly executable?: string;
  readonly package: boolean;
  readonly program: boolean;
}

async function createProgramFile(name: string, flags: NewFlags): Promise<void> {
  const { createProgram } = await import("../../lab/program-files.js");
  const file = createProgram({ name, executable: flags.executable ?? name, intoPackage: flags.package });
  printLines([
    `${file} written.`,
    `Check it: atlasbridge adapter check ${name}`,
    `Then change it until its tests are green: atlasbridge adapter test ${name}`,
  ]);
}

function registerNew(adapter: Command): void {
  adapter
    .command("new")
    .summary("write a commented adapter and its first scenarios")
    .argument("<name>", "the tool, as people call it")
    .option("--executable <command>", "the tool's executable (default: its name)")
    .option("--package", "write into this checkout instead of your configuration", false)
    .option("--program", "for a shell, an interpreter or a debugger", false)
    .action(async (name: string, flags: NewFlags) => {
      if (flags.program) return createProgramFile(name, flags);
      const { createAdapter } = await import("../../lab/adapter-files.js");
      const files = createAdapter({
        name,
        executable: flags.executable ?? name,
        intoPackage: flags.package,
      });
      printLines([
        ...files.map((file) => `${file} written.`),
        `Check them: atlasbridge adapter check ${name}`,
        "Next, record the tool and label its screens: docs/how-to/add-an-adapter.md",
      ]);
    });
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
      const { trustAdapters } = await import("../../lab/trust-adapters.js");
      const { describeOwnFile } = await import("../adapter/ask-to-run.js");
      const trusted = await trustAdapters(names);
      printLines(["May be run until changed:", ...trusted.flatMap(describeOwnFile)]);
    });
}
