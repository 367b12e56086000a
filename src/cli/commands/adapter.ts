/** `atlasbridge adapter`: the adapters for tools. */
import type { Command } from "commander";
import type { AdapterCheck, ListedAdapter, ShownAdapter } from "../../lab/adapter-files.js";
import { printLines, printResult } from "../output.js";

export function registerAdapter(program: Command): void {
  const adapter = program
    .command("adapter")
    .summary("manage the adapters for tools: list, show, check, new")
    .description(
      "An adapter is a YAML file that describes how a tool's prompts look and how they are answered.",
    );
  registerList(adapter);
  registerShow(adapter);
  registerCheck(adapter);
  registerNew(adapter);
}

function registerList(adapter: Command): void {
  adapter
    .command("list")
    .summary("list all adapters, yours and the package's")
    .option("--json", "print one JSON object", false)
    .action(async ({ json }: { json: boolean }) => {
      const { listAdapters } = await import("../../lab/adapter-files.js");
      await printResult(
        json,
        () => Promise.resolve(listAdapters()),
        (adapters) => adapters.flatMap(formatListed),
      );
    });
}

function formatListed({
  name,
  version,
  description,
  own,
  tested,
  supportedVersions,
  problem,
}: ListedAdapter): string[] {
  if (problem !== null) return [`${name.padEnd(NAME_WIDTH)} cannot be used: ${problem}`];
  const marks = [own ? "yours" : "", tested ? "" : "not tested", supportedVersions ?? ""].filter(
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
      await printResult(json, () => Promise.resolve(showAdapter(name)), formatShown);
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
      "Checks the file (schema, patterns with bounded run time, name) and replays the tool's scenarios: each rule must match in at least one, at least one must match nothing, none may fail, and none may contain private data.",
    )
    .argument("[names...]", "adapters or their files (default: all)")
    .option("--scenarios <paths...>", "scenario files or folders (default: this checkout's and your own)")
    .option("--json", "print one JSON object", false)
    .action(async (names: string[], { scenarios = [], json }: { scenarios?: string[]; json: boolean }) => {
      const { checkAdapters } = await import("../../lab/adapter-files.js");
      await printResult(
        json,
        async () => {
          const checks = await checkAdapters({ names, scenarios });
          if (checks.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
          return checks;
        },
        (checks) => checks.flatMap(formatCheck),
      );
    });
}

function formatCheck({ name, scenarios, silent, rules, problems, notes }: AdapterCheck): readonly string[] {
  const counts = `rules: ${rules.length}, scenarios: ${scenarios}, silent: ${silent}`;
  return [
    `${problems.length === 0 ? "✓" : "✗"} ${name}  ${counts}`,
    ...problems.map((problem) => `    - ${problem}`),
    ...notes.map((note) => `    · ${note}`),
  ];
}

interface NewFlags {
  readonly executable?: string;
  readonly package: boolean;
}

function registerNew(adapter: Command): void {
  adapter
    .command("new")
    .summary("write a commented adapter and its first scenarios")
    .argument("<name>", "the tool, as people call it")
    .option("--executable <command>", "the tool's executable (default: its name)")
    .option("--package", "write into this checkout instead of your configuration", false)
    .action(async (name: string, flags: NewFlags) => {
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
