/** Makes a scenario's draft of a recording that was made elsewhere. */
import { readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { importRecording } from "../../prompt-lab/import-recording.js";
import { resolvePaths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { adapterFor, GENERIC_ADAPTER } from "./adapters.js";
import { draftFiles, writeDraft, type Drafted } from "./lab-draft.js";

export interface ImportOptions {
  readonly file: string;
  /** Adapter of the scenario; null: the one that knows the recorded command, else the generic one. */
  readonly tool: string | null;
  /** Scenario file; null: named after the recording, in the current folder. */
  readonly out: string | null;
  /** Size of the terminal; absent: what the recording says. */
  readonly cols?: number;
  readonly rows?: number;
}

/** Errors: ATB_USAGE (no such file, or the target is there), ATB_SCENARIO_INVALID, ATB_ADAPTER_INVALID. */
export async function importScenario({ file, tool, out, ...size }: ImportOptions): Promise<Drafted> {
  const { command, ...recording } = importRecording(read(file), file);
  const files = draftFiles(out ?? `${basename(file, extname(file))}.json`);
  const told = await writeDraft(files, {
    ...recording,
    ...size,
    tool: tool ?? (await toolOf(command)),
    tty: {},
  });
  return { ...files, told };
}

async function toolOf(command: string | null): Promise<string> {
  const [executable = ""] = (command ?? "").trim().split(/\s/, 1);
  return executable === "" ? GENERIC_ADAPTER : (await adapterFor(executable, resolvePaths())).name;
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new AtlasBridgeError("ATB_USAGE", `${file}: there is no such file to read`, {
      hint: "Give an asciicast (version 2 or 3) or JSON lines.",
      cause,
    });
  }
}
