/** Writes a new recording and the draft of its scenario, never over existing files. */
import { existsSync, writeFileSync } from "node:fs";
import { homedir, hostname, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { formatRecording } from "../scenario/recording.js";
import { scrubRecording, type Owner, findWhereTold, type RecordedSource } from "./scrub.js";
import { AtlasBridgeError } from "../../src/model/errors.js";
import type { Signals } from "../../src/sdk/view.js";
import type { RecordingEvent } from "../../src/worker/screen/recording-event.js";

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

export interface Skeleton {
  readonly tool: string;
  readonly scenarioId: string;
  /** Empty: for a person to say. */
  readonly description?: string;
  readonly recordingFile: string;
  readonly cols: number;
  readonly rows: number;
  readonly tty: Signals;
}

/** Text of the file. It has no `expected_type`, so that `lab run` refuses it until somebody has looked. */
export function formatSkeleton({
  tool,
  scenarioId,
  description = "",
  recordingFile,
  cols,
  rows,
  tty,
}: Skeleton): string {
  const { echo, canonical, blockedOnRead, foreground, readsInside } = tty;
  const facts = { echo, canonical, blocked_on_read: blockedOnRead, foreground, reads_inside: readsInside };
  const known = Object.values(facts).some((fact) => fact !== undefined);
  const fields = {
    tool,
    scenario_id: scenarioId,
    description,
    cols,
    rows,
    recording_file: recordingFile,
    tty: known ? facts : undefined,
  };
  return `${JSON.stringify(fields, null, 2)}\n`;
}

/** The next steps for a new draft. */
export function formatDraft({ scenarioFile, recordingFile, told }: Drafted): readonly string[] {
  const view = `atlasbridge lab view ${scenarioFile}`;
  return [
    `${scenarioFile} and ${recordingFile} written.`,
    ...(told ? [`A name or a secret may still be visible in it: ${view} --at ${Math.ceil(told.atMs)}`] : []),
    `Check it (${view}), then label the scenario with what must be detected: docs/how-to/record-a-scenario.md`,
  ];
}
