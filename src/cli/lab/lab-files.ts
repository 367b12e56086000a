/** `atlasbridge lab record`, `lab import` and `lab capture`: create new scenarios. */
import { InvalidArgumentError, type Command } from "commander";
import type { Drafted } from "../../lab/draft.js";
import { printMessage, printLines, printResult } from "../output.js";

/** The next steps for a new draft. */
function formatDraft({ scenarioFile, recordingFile, told }: Drafted): readonly string[] {
  const view = `atlasbridge lab view ${scenarioFile}`;
  return [
    `${scenarioFile} and ${recordingFile} written.`,
    ...(told ? [`A name or a secret may still be visible in it: ${view} --at ${Math.ceil(told.atMs)}`] : []),
    `Check it (${view}), then label the scenario with what must be detected: docs/how-to/record-a-scenario.md`,
  ];
}

interface RecordFlags {
  readonly out?: string;
  readonly tool?: string;
  readonly cols?: number;
  readonly rows?: number;
  readonly clean: boolean;
}

export function registerRecord(lab: Command): void {
  lab
    .command("record")
    .summary("record a live command as a scenario")
    .description(
      "Runs COMMAND in a terminal and records it until you press Ctrl-], ideally while its prompt is on the screen.",
    )
    .argument("<command...>", "the command to record, preferably after --")
    .option("--out <file>", "the scenario file to write (default: COMMAND-recorded.json)")
    .option("--tool <name>", "the adapter it is for (default: the one for the command)")
    .option("--cols <number>", "columns of the terminal (default: this terminal's)", parseCells)
    .option("--rows <number>", "rows of the terminal (default: this terminal's)", parseCells)
    .option("--clean", "use a minimal environment, so that nothing about this machine shows", false)
    .passThroughOptions()
    .action(async (command: string[], { out, tool, clean, ...size }: RecordFlags) => {
      const { recordScenario } = await import("../../lab/record.js");
      const recorded = await recordScenario({
        command,
        out: out ?? null,
        tool: tool ?? null,
        clean,
        onStart: () => {
          printMessage("recording; press Ctrl-] while the prompt is on the screen");
        },
        ...size,
      });
      printLines([
        ...(recorded.marked
          ? []
          : ["The command ended by itself, so the state of its terminal was not recorded."]),
        ...formatDraft(recorded),
      ]);
    });
}

interface ImportFlags {
  readonly out?: string;
  readonly tool?: string;
  readonly cols?: number;
  readonly rows?: number;
}

export function registerImport(lab: Command): void {
  lab
    .command("import")
    .summary("convert an asciicast or JSON lines to a scenario")
    .description(
      "Creates a scrubbed, unlabelled scenario from a recording made elsewhere: an asciicast of version 2 or 3, or JSON lines as in a scenario's recording_file.",
    )
    .argument("<file>", "the recording")
    .option("--out <file>", "the scenario file to write (default: named after the recording)")
    .option("--tool <name>", "the adapter it is for (default: the one for the recorded command)")
    .option("--cols <number>", "columns of the terminal (default: the recording's, otherwise 80)", parseCells)
    .option("--rows <number>", "rows of the terminal (default: the recording's, otherwise 24)", parseCells)
    .action(async (file: string, { out, tool, ...size }: ImportFlags) => {
      const { importScenario } = await import("../../lab/import.js");
      printLines(formatDraft(await importScenario({ file, out: out ?? null, tool: tool ?? null, ...size })));
    });
}

export function registerCapture(lab: Command): void {
  lab
    .command("capture")
    .summary("save the recent output of a running session as a scenario")
    .description(
      "Writes the latest output of a running session, scrubbed and unlabelled, into captured_scenarios. Use it when a prompt was missed, or detected although there was none.",
    )
    .argument("[session]", "its id, the beginning of it, or its label (default: the only one)")
    .option("--json", "print one JSON object", false)
    .action(async (session: string | undefined, { json }: { json: boolean }) => {
      const { captureSession } = await import("../../lab/capture.js");
      await printResult(json, () => captureSession(session ?? null), formatDraft);
    });
}

/** More than the rows or columns of any screen: a typo. */
const CELLS_MAX = 1000;

function parseCells(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= CELLS_MAX) return count;
  throw new InvalidArgumentError(`Expected a whole number from 1 to ${CELLS_MAX}.`);
}
