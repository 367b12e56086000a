/** Writes a new recording and its draft; existing files are not overwritten. */
import { existsSync, writeFileSync } from "node:fs";
import { homedir, hostname, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { formatRecording } from "../scenario/recording.js";
import { scrubRecording, type Owner, findFirstPrivatePicture, type PrivateInstant } from "./scrub.js";
import { AtlasBridgeError } from "../../src/model/errors.js";
import type { Signals } from "../../src/sdk/view.js";
import type { RecordingEvent } from "../../src/worker/screen/recording-event.js";

export interface DraftFiles {
  readonly scenarioFile: string;
  readonly recordingFile: string;
}

/** `told`: the first instant at which private data may still be visible. */
export interface Drafted extends DraftFiles {
  readonly told: PrivateInstant | null;
}

export interface FreshRecording {
  readonly tool: string;
  /** Why it was recorded; empty until a person writes it. */
  readonly description?: string;
  readonly cols: number;
  readonly rows: number;
  readonly events: readonly RecordingEvent[];
  readonly tty: Signals;
}

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
 * Scrubs and writes the draft. `folders`: working folders, whose names are private. Returns the first instant that may show private data.
 * Errors: ATB_USAGE if it cannot be written.
 */
export async function writeDraft(
  files: DraftFiles,
  { tool, description = "", events, ...facts }: FreshRecording,
  folders: readonly string[] = [],
): Promise<PrivateInstant | null> {
  const owner = { ...getMachineOwner(), folders };
  const scrubbed = scrubRecording(events, owner);
  write(files.recordingFile, formatRecording(scrubbed));
  const stem = basename(files.scenarioFile, ".json");
  const recordingFile = basename(files.recordingFile);
  const scenarioId = `${stem.startsWith(`${tool}-`) ? "" : `${tool}_`}${stem.replaceAll("-", "_")}`;
  write(files.scenarioFile, formatSkeleton({ tool, scenarioId, description, recordingFile, ...facts }));
  return findFirstPrivatePicture({ ...facts, events: scrubbed }, owner);
}

function getMachineOwner(): Owner {
  return { home: homedir(), user: getUserName(), host: hostname() };
}

/** Some containers have no user name. */
function getUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

/** Private to its owner. */
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
  readonly description?: string;
  readonly recordingFile: string;
  readonly cols: number;
  readonly rows: number;
  readonly tty: Signals;
}

/** Without `expected_type`, so that `lab run` refuses the file until a person has labelled it. */
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

export function formatDraft({ scenarioFile, recordingFile, told }: Drafted): readonly string[] {
  const view = `atlasbridge lab view ${scenarioFile}`;
  return [
    `${scenarioFile} and ${recordingFile} written.`,
    ...(told ? [`A name or a secret may still be visible in it: ${view} --at ${Math.ceil(told.atMs)}`] : []),
    `Check it (${view}), then label the scenario with what must be detected: docs/how-to/record-a-scenario.md`,
  ];
}
