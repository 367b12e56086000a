/** Converts a recording made elsewhere to a draft of a scenario. */
import { existsSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import { importRecording } from "../../prompt-lab/import-recording.js";
import { readText } from "../../prompt-lab/read-text.js";
import { resolvePaths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { findAdapter, GENERIC_ADAPTER, requireAdapterFile } from "../plugins/adapters/adapters.js";
import { nameDraftFiles, writeDraft, type Drafted } from "./draft.js";

export interface ImportOptions {
  readonly file: string;
  /** Adapter of the scenario; null: the one for the recorded command, otherwise the generic one. */
  readonly tool: string | null;
  /** Scenario file; null: named after the recording, in the current folder. */
  readonly out: string | null;
  /** Size of the terminal; absent: the recording's. */
  readonly cols?: number;
  readonly rows?: number;
}

/** Errors: ATB_USAGE (no such file, or the target exists), ATB_SCENARIO_INVALID, ATB_ADAPTER_UNKNOWN, ATB_ADAPTER_INVALID. */
export async function importScenario({ file, tool, out, ...size }: ImportOptions): Promise<Drafted> {
  if (tool !== null) requireAdapterFile(tool, resolvePaths());
  const { command, ...recording } = importRecording(read(file), file);
  const files = nameDraftFiles(out ?? nameScenario(file));
  const told = await writeDraft(files, {
    ...recording,
    ...size,
    tool: tool ?? (await findTool(command)),
    tty: {},
  });
  return { ...files, told };
}

async function findTool(command: string | null): Promise<string> {
  const [executable = ""] = (command ?? "").trim().split(/\s/, 1);
  return executable === "" ? GENERIC_ADAPTER : (await findAdapter(executable, resolvePaths())).name;
}

/** In the current folder. JSON lines that are there already keep their name. */
function nameScenario(file: string): string {
  const name = basename(file, extname(file));
  return resolve(`${name}.jsonl`) === resolve(file) ? `${name}-imported.json` : `${name}.json`;
}

function read(file: string): string {
  if (existsSync(file)) return readText(file);
  throw new AtlasBridgeError("ATB_USAGE", `${file} does not exist or is unreadable`, {
    hint: "Give an asciicast (version 2 or 3) or JSON lines.",
  });
}
