/** Small files beside the ledger with which processes coordinate while no hub runs. The lock alone decides which hub serves. */
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import * as v from "valibot";
import type { Paths } from "./paths.js";
import { PRIVATE_FILE_MODE } from "./private-files.js";

/** A loaded machine needs a second or two to start a hub. */
export const START_CLAIM_MS = 2_000;

/**
 * Claims the start of a hub. False if somebody claimed it less than `freshMs` (at least START_CLAIM_MS) ago and no hub has served since.
 * Two processes may both succeed when a claim expires. A claim from the future counts as expired. Errors: the system's.
 */
export function claimStart(paths: Paths, now: number, freshMs: number): boolean {
  const claimed = statSync(paths.hubStarting, { throwIfNoEntry: false });
  const ageMs = claimed ? now - Math.floor(claimed.mtimeMs) : Infinity;
  if (ageMs >= 0 && ageMs < Math.max(freshMs, START_CLAIM_MS)) return false;
  rmSync(paths.hubStarting, { force: true, recursive: true });
  return createNew(paths.hubStarting);
}

export function isHubStarting(paths: Pick<Paths, "hubStarting">, now: number): boolean {
  const claimed = statSync(paths.hubStarting, { throwIfNoEntry: false });
  const ageMs = claimed ? now - Math.floor(claimed.mtimeMs) : Infinity;
  return ageMs >= 0 && ageMs < START_CLAIM_MS;
}

function createNew(path: string): boolean {
  try {
    writeFileSync(path, "", { flag: "wx", mode: PRIVATE_FILE_MODE });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

const leftSession = v.object({
  sessionId: v.string(),
  tool: v.string(),
  label: v.nullable(v.string()),
  pid: v.number(),
  pidStartTime: v.nullable(v.string()),
});
export type LeftSession = v.InferOutput<typeof leftSession>;

const stopNote = v.object({ at: v.number(), sessions: v.array(leftSession) });
/** `at`: ms since 1970. */
export type StopNote = Omit<v.InferOutput<typeof stopNote>, "sessions"> & {
  readonly sessions: readonly LeftSession[];
};

/** Written by a hub that somebody stopped. */
export function writeStopNote(paths: Paths, note: StopNote): void {
  try {
    writeFileSync(paths.hubStopped, JSON.stringify(note), { mode: PRIVATE_FILE_MODE });
  } catch {
    // On a full disk only this explanation is missing.
  }
}

/** Null if no hub was stopped since the last one served. */
export function readStopNote(paths: Paths): StopNote | null {
  try {
    const note = v.safeParse(stopNote, JSON.parse(readFileSync(paths.hubStopped, "utf8")));
    return note.success ? note.output : null;
  } catch {
    return null;
  }
}

export function clearHubNotes(paths: Paths): void {
  for (const path of [paths.hubStarting, paths.hubStopped]) rmSync(path, { force: true, recursive: true });
}
