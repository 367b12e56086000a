import { InvalidArgumentError, Option, type Command } from "commander";
import { printLines, printMessage, printResult } from "../output.js";
import { parseWholeNumber } from "../parse-option.js";

export function registerLab(program: Command): void {
  const lab = program
    .command("lab")
    .summary("replay recordings against the detection (Prompt Lab)")
    .description(
      "The Prompt Lab replays recorded terminals through the same detection code that live sessions use.",
    );
  registerRun(lab);
  registerView(lab);
  registerUpdate(lab);
  registerImport(lab);
  registerCapture(lab);
  // Options after the recorded command's name belong to that command.
  registerRecord(lab.enablePositionalOptions());
}

interface FilterFlags {
  readonly tool?: string;
  readonly filter?: string;
  readonly set?: "develop" | "measure";
}

function addFilterOptions(command: Command): Command {
  return command
    .argument("[paths...]", "scenario files or folders (default: this checkout's and your own)")
    .option("--tool <name>", "only scenarios of this tool")
    .option("--filter <text>", "only scenarios with this text in their id or description")
    .addOption(
      new Option("--set <name>", "only the development set, or only the measurement set").choices([
        "develop",
        "measure",
      ]),
    );
}

function buildFilter({ tool, filter, set }: FilterFlags) {
  return {
    ...(tool !== undefined && { tool }),
    ...(filter !== undefined && { text: filter }),
    ...(set !== undefined && { set }),
  };
}

interface ReportFlags extends FilterFlags {
  readonly reporter: "pretty" | "json" | "junit";
  readonly out?: string;
}

function registerRun(lab: Command): void {
  addFilterOptions(lab.command("run"))
    .summary("replay scenarios and compare; exit 1 if any fails")
    .addOption(
      new Option("--reporter <form>", "form of the report")
        .choices(["pretty", "json", "junit"])
        .default("pretty"),
    )
    .option("--out <file>", "write the report to this file")
    .action(async (paths: string[], { reporter, out, ...flags }: ReportFlags) => {
      const { runLab } = await import("../../../prompt-lab/replay/run.js");
      const { summary, text } = await runLab({
        paths,
        filter: buildFilter(flags),
        reporter,
        out: out ?? null,
      });
      process.stdout.write(text);
      if (summary.failed > 0) process.exitCode = 1;
    });
}

interface ViewFlags {
  readonly at?: number;
  readonly rule?: string;
  readonly json: boolean;
}

function registerView(lab: Command): void {
  lab
    .command("view")
    .summary("show a scenario's screen, which rules match, and why the others do not")
    .argument("<scenario>", "its file or id; it may be unlabelled")
    .option("--at <ms>", "time within the recording (default: its end)", parseMilliseconds)
    .option("--rule <name>", "only this rule of the adapter")
    .option("--json", "print one JSON object", false)
    .action(async (scenario: string, { at, rule, json }: ViewFlags) => {
      const { buildViewData, formatInspection, viewScenario } =
        await import("../../../prompt-lab/replay/view.js");
      const view = () => viewScenario({ scenario, atMs: at ?? null, rule: rule ?? null });
      if (!json) {
        printLines(formatInspection(await view()));
        return;
      }
      await printResult(
        true,
        async () => buildViewData(await view()),
        () => [],
      );
    });
}

function registerUpdate(lab: Command): void {
  addFilterOptions(lab.command("update"))
    .summary("relabel scenarios with the current results, each after confirmation")
    .description(
      "For every scenario whose labels do not match (or that has none), shows the screen and the change, and asks before writing. Exit 1 if any was left unchanged.",
    )
    .action(async (paths: string[], flags: FilterFlags) => {
      const { updateLabels } = await import("../../../prompt-lab/replay/update.js");
      const { confirm, stopAsking } = await import("../setup/ask.js");
      const dialog = { show: printLines, confirm };
      const { total, changed, left } = await updateLabels(
        { paths, filter: buildFilter(flags) },
        dialog,
      ).finally(stopAsking);
      printLines([`Checked ${total}: ${changed.length} relabelled, ${left.length} left that do not match.`]);
      if (left.length > 0) process.exitCode = 1;
    });
}

interface DraftFlags {
  readonly out?: string;
  readonly tool?: string;
  readonly cols?: number;
  readonly rows?: number;
}

function registerRecord(lab: Command): void {
  lab
    .command("record")
    .summary("record a live command as a scenario")
    .description(
      "Runs COMMAND in a terminal and records it until you press Ctrl-], ideally while its prompt is on the screen.",
    )
    .argument("<command...>", "the command to record, preferably after --")
    .option("--out <file>", "the scenario file to write (default: COMMAND-recorded.json)")
    .option("--tool <name>", "the adapter it is for (default: the one for the command)")
    .option(
      "--cols <number>",
      "columns of the terminal (default: this terminal's)",
      parseWholeNumber(1, CELLS_MAX),
    )
    .option(
      "--rows <number>",
      "rows of the terminal (default: this terminal's)",
      parseWholeNumber(1, CELLS_MAX),
    )
    .option("--clean", "use a minimal environment, so that nothing about this machine shows", false)
    .passThroughOptions()
    .action(async (command: string[], flags: DraftFlags & { readonly clean: boolean }) => {
      const { formatDraft } = await import("../../../prompt-lab/record/draft.js");
      const { recordScenario } = await import("../../../prompt-lab/record/record.js");
      const onStart = (): void => {
        printMessage("recording; press Ctrl-] while the prompt is on the screen");
      };
      const { out, tool, ...rest } = flags;
      const recorded = await recordScenario({
        command,
        out: out ?? null,
        tool: tool ?? null,
        onStart,
        ...rest,
      });
      const unmarked = "The command ended by itself, so the state of its terminal was not recorded.";
      printLines([...(recorded.marked ? [] : [unmarked]), ...formatDraft(recorded)]);
    });
}

function registerImport(lab: Command): void {
  lab
    .command("import")
    .summary("convert an asciicast or JSON lines to a scenario")
    .description(
      "Creates a scrubbed, unlabelled scenario from a recording made elsewhere: an asciicast of version 2 or 3, or JSON lines as in a scenario's recording_file.",
    )
    .argument("<file>", "the recording")
    .option("--out <file>", "the scenario file to write (default: named after the recording)")
    .option("--tool <name>", "the adapter it is for (default: the one for the recorded command)")
    .option(
      "--cols <number>",
      "columns of the terminal (default: the recording's, otherwise 80)",
      parseWholeNumber(1, CELLS_MAX),
    )
    .option(
      "--rows <number>",
      "rows of the terminal (default: the recording's, otherwise 24)",
      parseWholeNumber(1, CELLS_MAX),
    )
    .action(async (file: string, { out, tool, ...size }: DraftFlags) => {
      const { formatDraft } = await import("../../../prompt-lab/record/draft.js");
      const { importScenario } = await import("../../../prompt-lab/record/import.js");
      printLines(formatDraft(await importScenario({ file, out: out ?? null, tool: tool ?? null, ...size })));
    });
}

function registerCapture(lab: Command): void {
  lab
    .command("capture")
    .summary("save the recent output of a running session as a scenario")
    .description(
      "Writes the latest output of a running session, scrubbed and unlabelled, into captured_scenarios. Use it when a prompt was missed, or detected although there was none.",
    )
    .argument("[session]", "its id, the beginning of it, or its label (default: the only one)")
    .option("--json", "print one JSON object", false)
    .action(async (session: string | undefined, { json }: { json: boolean }) => {
      const { formatDraft } = await import("../../../prompt-lab/record/draft.js");
      const { captureSession } = await import("../../../prompt-lab/record/capture.js");
      await printResult(json, () => captureSession(session ?? null), formatDraft);
    });
}

const CELLS_MAX = 1000;

const AT_MAX_MS = 24 * 60 * 60 * 1000;

function parseMilliseconds(text: string): number {
  const ms = Number(text);
  if (text.trim() !== "" && ms >= 0 && ms <= AT_MAX_MS) return ms;
  throw new InvalidArgumentError(`Expected a number of milliseconds from 0 to ${AT_MAX_MS}.`);
}
