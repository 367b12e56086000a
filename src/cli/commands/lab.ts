/** `atlasbridge lab`: arguments and output. */
import { Option, type Command } from "commander";
import { registerCapture, registerImport, registerRecord } from "../lab/lab-files.js";
import { buildFilter, addFilterOptions, type FilterFlags } from "../lab/lab-filter.js";
import { registerUpdate, registerView } from "../lab/lab-look.js";

interface LabRunFlags extends FilterFlags {
  readonly reporter: "pretty" | "json" | "junit";
  readonly out?: string;
}

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

function registerRun(lab: Command): void {
  addFilterOptions(lab.command("run"))
    .summary("replay scenarios and compare; exit 1 if any fails")
    .addOption(
      new Option("--reporter <form>", "form of the report")
        .choices(["pretty", "json", "junit"])
        .default("pretty"),
    )
    .option("--out <file>", "write the report to this file")
    .action(async (paths: string[], flags: LabRunFlags) => {
      const { runLab } = await import("../../lab/lab.js");
      const { summary, text } = await runLab({
        paths,
        filter: buildFilter(flags),
        reporter: flags.reporter,
        out: flags.out ?? null,
      });
      process.stdout.write(text);
      if (summary.failed > 0) process.exitCode = 1;
    });
}
