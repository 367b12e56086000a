/** Small files beside the ledger with which processes coordinate while no hub runs. None of them decides who serves: the lock does. */
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import * as v from "valibot";
import type { Paths } from "./paths.js";
import { PRIVATE_FILE_MODE } from "./private-files.js";

/** A loaded machine needs a second or two to start a hub; one that is not up by then may have failed. */
export const START_CLAIM_MS = 2_000;

/**
 * Claims the start of a hub, if several processes miss it at the same instant. False if somebody claimed it less than `freshMs`
 * (at least START_CLAIM_MS) ago and no hub has served since. Two may win when a claim has just expired; the lock decides
 * between them. `now` is the wall clock; a claim from the future (the clock was set back) counts as expired. Errors: the
 * system's.
 */
export function claimStart(paths: Paths, now: number, freshMs: number): boolean {
  const claimed = statSync(paths.hubStarting, { throwIfNoEntry: false });
  const ageMs = claimed ? now - Math.floor(claimed.mtimeMs) : Infinity;
  if (ageMs >= 0 && ageMs < Math.max(freshMs, START_CLAIM_MS)) return false;
  rmSync(paths.hubStarting, { force: true, recursive: true });
  return createNew(paths.hubStarting);
}

/** Whether somebody has claimed the start of a hub a moment ago. */
export function isHubStarting(paths: Pick<Paths, "hubStarting">, now: number): boolean {
  const claimed = statSync(paths.hubStarting, { throwIfNoEntry: false });
  const ageMs = claimed ? now - Math.floor(claimed.mtimeMs) : Infinity;
  return ageMs >= 0 && ageMs < START_CLAIM_MS;
}

/** False if another process was faster. */
function createNew(path: string): boolean {
  try {
    writeFileSync(path, "", { flag: "wx", mode: PRIVATE_FILE_MODE });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** A session that kept running when its hub was stopped. */
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

/** Written by a hub that somebody stopped, to explain its absence. */
export function writeStopNote(paths: Paths, note: StopNote): void {
  try {
    writeFileSync(paths.hubStopped, JSON.stringify(note), { mode: PRIVATE_FILE_MODE });
  } catch {
    // If it cannot be written (a full disk), the explanation is missing, nothing else.
  }
}

/** Null if no hub was stopped since the last one served, or the note is unreadable. */
export function readStopNote(paths: Paths): StopNote | null {
  try {
    const note = v.safeParse(stopNote, JSON.parse(readFileSync(paths.hubStopped, "utf8")));
    return note.success ? note.output : null;
  } catch {
    return null;
  }
}

/** Called when a hub is running: the notes are obsolete. */
export function clearHubNotes(paths: Paths): void {
  for (const path of [paths.hubStarting, paths.hubStopped]) rmSync(path, { force: true, recursive: true });
}
