/** `atlasbridge lab`: arguments and printing. */
import { InvalidArgumentError, Option, type Command } from "commander";
import { complain, printLines } from "./output.js";

interface RunFlags {
  readonly tool?: string;
  readonly filter?: string;
  readonly set?: "develop" | "measure";
  readonly reporter: "pretty" | "json" | "junit";
  readonly out?: string;
}

export function registerLab(program: Command): void {
  const lab = program
    .command("lab")
    .summary("replay recordings against the detection (Prompt Lab)")
    .description("The Prompt Lab replays recorded terminals through the very code that watches live ones.");
  registerRun(lab);
  // Options after the recorded command's name are the command's.
  registerRecord(lab.enablePositionalOptions());
}

function registerRun(lab: Command): void {
  lab
    .command("run")
    .summary("replay scenarios and compare; exit 1 if any fails")
    .argument("[paths...]", "scenario files or folders (default: the scenarios of this checkout)")
    .option("--tool <name>", "only scenarios of this tool")
    .option("--filter <text>", "only scenarios with this text in their id or description")
    .addOption(
      new Option("--set <name>", "only the situations to develop on, or only those to measure with").choices([
        "develop",
        "measure",
      ]),
    )
    .addOption(
      new Option("--reporter <form>", "form of the report")
        .choices(["pretty", "json", "junit"])
        .default("pretty"),
    )
    .option("--out <file>", "write the report to this file")
    .action(async (paths: string[], flags: RunFlags) => {
      const { runLab } = await import("../app/lab.js");
      const { summary, text } = await runLab({
        paths,
        filter: {
          ...(flags.tool !== undefined && { tool: flags.tool }),
          ...(flags.filter !== undefined && { text: flags.filter }),
          ...(flags.set !== undefined && { set: flags.set }),
        },
        reporter: flags.reporter,
        out: flags.out ?? null,
      });
      process.stdout.write(text);
      if (summary.failed > 0) process.exitCode = 1;
    });
}

interface RecordFlags {
  readonly out?: string;
  readonly tool?: string;
  readonly cols?: number;
  readonly rows?: number;
  readonly clean: boolean;
}

function registerRecord(lab: Command): void {
  lab
    .command("record")
    .summary("record a live command as a scenario")
    .description(
      "Runs COMMAND in a terminal and records it until you press Ctrl-], at best when its question stands there.",
    )
    .argument("<command...>", "the command to record, at best behind --")
    .option("--out <file>", "the scenario file to write (default: COMMAND-recorded.json)")
    .option("--tool <name>", "the adapter it is for (default: the one that knows the command)")
    .option("--cols <number>", "columns of the terminal (default: those of this one)", cells)
    .option("--rows <number>", "rows of the terminal (default: those of this one)", cells)
    .option("--clean", "hardly any environment, so that nothing of this machine shows", false)
    .passThroughOptions()
    .action(async (command: string[], { out, tool, clean, ...size }: RecordFlags) => {
      const { recordScenario } = await import("../app/lab-record.js");
      complain("recording; press Ctrl-] when the question stands there");
      const recorded = await recordScenario({
        command,
        out: out ?? null,
        tool: tool ?? null,
        clean,
        ...size,
      });
      printLines([
        `${recorded.scenarioFile} and ${recorded.recordingFile} written.`,
        ...(recorded.marked ? [] : ["The command ended by itself: nothing is known of its terminal."]),
        "Look at the recording, then say in the scenario what must be seen: docs/how-to/record-a-scenario.md",
      ]);
    });
}

/** More cells in a row or column than any screen has would only be a slip. */
const CELLS_MAX = 1000;

function cells(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= CELLS_MAX) return count;
  throw new InvalidArgumentError(`It is a whole number from 1 to ${CELLS_MAX}.`);
}
