/** `atlasbridge lab record`, `lab import` and `lab capture`: new scenarios. */
import { InvalidArgumentError, type Command } from "commander";
import type { Drafted } from "../../lab/draft.js";
import { complain, printLines, report } from "../output.js";

/** What is left to do with a fresh draft. */
export function draftLines({ scenarioFile, recordingFile, told }: Drafted): readonly string[] {
  const view = `atlasbridge lab view ${scenarioFile}`;
  return [
    `${scenarioFile} and ${recordingFile} written.`,
    ...(told ? [`A name or a secret may still be read in it: ${view} --at ${Math.ceil(told.atMs)}`] : []),
    `Look at it (${view}), then say in the scenario what must be seen: docs/how-to/record-a-scenario.md`,
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
      const { recordScenario } = await import("../../lab/record.js");
      const recorded = await recordScenario({
        command,
        out: out ?? null,
        tool: tool ?? null,
        clean,
        onStart: () => {
          complain("recording; press Ctrl-] when the question stands there");
        },
        ...size,
      });
      printLines([
        ...(recorded.marked ? [] : ["The command ended by itself: nothing is known of its terminal."]),
        ...draftLines(recorded),
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
    .summary("make a scenario of an asciicast or of JSON lines")
    .description(
      "Makes a scrubbed scenario, not labelled yet, of a recording made elsewhere: an asciicast of version 2 or 3, or JSON lines as a scenario's recording_file holds them.",
    )
    .argument("<file>", "the recording")
    .option("--out <file>", "the scenario file to write (default: named after the recording)")
    .option("--tool <name>", "the adapter it is for (default: the one that knows the recorded command)")
    .option("--cols <number>", "columns of the terminal (default: what the recording says, else 80)", cells)
    .option("--rows <number>", "rows of the terminal (default: what the recording says, else 24)", cells)
    .action(async (file: string, { out, tool, ...size }: ImportFlags) => {
      const { importScenario } = await import("../../lab/import.js");
      printLines(draftLines(await importScenario({ file, out: out ?? null, tool: tool ?? null, ...size })));
    });
}

export function registerCapture(lab: Command): void {
  lab
    .command("capture")
    .summary("keep what a running session showed lately as a scenario")
    .description(
      "Writes the latest part of a running session, scrubbed and not labelled yet, into captured_scenarios. Use it when a question was not seen, or seen where nothing was asked.",
    )
    .argument("[session]", "its id, the beginning of it, or its label (default: the only one)")
    .option("--json", "print one JSON object", false)
    .action(async (session: string | undefined, { json }: { json: boolean }) => {
      const { captureSession } = await import("../../lab/capture.js");
      await report(json, () => captureSession(session ?? null), draftLines);
    });
}

/** More cells in a row or column than any screen has would only be a slip. */
const CELLS_MAX = 1000;

function cells(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= CELLS_MAX) return count;
  throw new InvalidArgumentError(`It is a whole number from 1 to ${CELLS_MAX}.`);
}
