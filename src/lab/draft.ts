/** Writes a fresh recording and the draft of its scenario, and never over another one. */
import { existsSync, writeFileSync } from "node:fs";
import { homedir, hostname, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { formatRecording } from "../../prompt-lab/recording.js";
import { scrubRecording, type Owner } from "../../prompt-lab/scrub.js";
import { formatSkeleton } from "../../prompt-lab/skeleton.js";
import { whereTold, type RecordedSource } from "../../prompt-lab/where-told.js";
import { AtlasBridgeError } from "../model/errors.js";
import type { Signals } from "../sdk/view.js";
import type { RecordingEvent } from "../worker/detection/replay.js";

export interface DraftFiles {
  readonly scenarioFile: string;
  readonly recordingFile: string;
}

/** A written draft, and the first instant at which its pictures may still tell who made it. */
export interface Drafted extends DraftFiles {
  readonly told: RecordedSource | null;
}

export interface FreshRecording {
  readonly tool: string;
  readonly cols: number;
  readonly rows: number;
  readonly events: readonly RecordingEvent[];
  readonly tty: Signals;
}

/** The pair of files named after the scenario. Errors: ATB_USAGE when one is there already. */
export function draftFiles(scenarioFile: string): DraftFiles {
  const recordingFile = join(dirname(scenarioFile), `${basename(scenarioFile, ".json")}.jsonl`);
  for (const file of [scenarioFile, recordingFile]) {
    if (existsSync(file))
      throw new AtlasBridgeError("ATB_USAGE", `${file} is there already`, {
        hint: "Give another name: --out FILE",
      });
  }
  return { scenarioFile, recordingFile };
}

/**
 * Scrubbed, with an id after the file's name. `folders` were worked in. Resolves to where something private may still be read.
 * Errors: ATB_USAGE when it cannot be written.
 */
export async function writeDraft(
  files: DraftFiles,
  { tool, events, ...facts }: FreshRecording,
  folders: readonly string[] = [],
): Promise<RecordedSource | null> {
  const owner = { ...machineOwner(), folders };
  const scrubbed = scrubRecording(events, owner);
  write(files.recordingFile, formatRecording(scrubbed));
  const stem = basename(files.scenarioFile, ".json");
  const recordingFile = basename(files.recordingFile);
  const scenarioId = `${stem.startsWith(`${tool}-`) ? "" : `${tool}_`}${stem.replaceAll("-", "_")}`;
  write(files.scenarioFile, formatSkeleton({ tool, scenarioId, recordingFile, ...facts }));
  return whereTold({ ...facts, events: scrubbed }, owner);
}

/** Whose traces are taken out. */
function machineOwner(): Owner {
  return { home: homedir(), user: userName(), host: hostname() };
}

/** In a container the user may have no name; then there is none to hide. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

/** What somebody's screen showed is for its owner to share. */
function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    throw new AtlasBridgeError("ATB_USAGE", `${file} cannot be written`, {
      hint: "Give a file in an existing folder: --out FILE",
      cause,
    });
  }
}
