/** Writes a new recording and the draft of its scenario, never over existing files. */
import { existsSync, writeFileSync } from "node:fs";
import { homedir, hostname, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { formatRecording } from "../../prompt-lab/recording.js";
import { scrubRecording, type Owner } from "../../prompt-lab/scrub.js";
import { formatSkeleton } from "../../prompt-lab/skeleton.js";
import { findWhereTold, type RecordedSource } from "../../prompt-lab/where-told.js";
import { AtlasBridgeError } from "../model/errors.js";
import type { Signals } from "../sdk/view.js";
import type { RecordingEvent } from "../worker/screen/recording-event.js";

export interface DraftFiles {
  readonly scenarioFile: string;
  readonly recordingFile: string;
}

/** A written draft, and the first instant at which its screen may still show private data. */
export interface Drafted extends DraftFiles {
  readonly told: RecordedSource | null;
}

export interface FreshRecording {
  readonly tool: string;
  /** Why it was kept; absent: a person says it. */
  readonly description?: string;
  readonly cols: number;
  readonly rows: number;
  readonly events: readonly RecordingEvent[];
  readonly tty: Signals;
}

/** The pair of files named after the scenario. Errors: ATB_USAGE if one exists. */
export function nameDraftFiles(scenarioFile: string): DraftFiles {
  const recordingFile = join(dirname(scenarioFile), `${basename(scenarioFile, ".json")}.jsonl`);
  for (const file of [scenarioFile, recordingFile]) {
    if (existsSync(file))
      throw new AtlasBridgeError("ATB_USAGE", `${file} already exists`, {
        hint: "Choose another name: --out FILE",
      });
  }
  return { scenarioFile, recordingFile };
}

/**
 * Writes the draft, scrubbed, with an id from the file's name. `folders`: the folders that were worked in. Resolves to where
 * private data may still be visible. Errors: ATB_USAGE if it cannot be written.
 */
export async function writeDraft(
  files: DraftFiles,
  { tool, description = "", events, ...facts }: FreshRecording,
  folders: readonly string[] = [],
): Promise<RecordedSource | null> {
  const owner = { ...getMachineOwner(), folders };
  const scrubbed = scrubRecording(events, owner);
  write(files.recordingFile, formatRecording(scrubbed));
  const stem = basename(files.scenarioFile, ".json");
  const recordingFile = basename(files.recordingFile);
  const scenarioId = `${stem.startsWith(`${tool}-`) ? "" : `${tool}_`}${stem.replaceAll("-", "_")}`;
  write(files.scenarioFile, formatSkeleton({ tool, scenarioId, description, recordingFile, ...facts }));
  return findWhereTold({ ...facts, events: scrubbed }, owner);
}

/** The person whose traces are removed. */
function getMachineOwner(): Owner {
  return { home: homedir(), user: getUserName(), host: hostname() };
}

/** In a container the user may have no name; then there is none to hide. */
function getUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

/** A recorded screen is private to its owner. */
function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    throw new AtlasBridgeError("ATB_USAGE", `${file} cannot be written`, {
      hint: "Choose a file in an existing folder: --out FILE",
      cause,
    });
  }
}
