/**
 * Seals outside the database, one JSON line each: if an older copy replaces the database, it lacks the rows that they cover.
 * They are written after the commit, so they are never ahead of it.
 */
import { appendFileSync, readFileSync } from "node:fs";
import * as v from "valibot";
import { formatCanonicalJson } from "../../audit/canonical.js";
import type { Seal } from "../../audit/seal.js";
import { PRIVATE_FILE_MODE } from "../../../config/private-files.js";

const natural = v.pipe(v.number(), v.integer(), v.minValue(0));
const sealSchema = v.strictObject({
  at: v.pipe(v.number(), v.integer()),
  count: natural,
  head: v.string(),
  key: v.string(),
  mac: v.string(),
});

export function locateKeptSeals(databasePath: string): string {
  return `${databasePath}.checkpoints`;
}

/** Starts with a line break, so that a line truncated by a crash does not spoil this one. */
export function keepSeal(path: string, seal: Seal): void {
  appendFileSync(path, `\n${formatCanonicalJson(seal)}\n`, { mode: PRIVATE_FILE_MODE });
}

/** Returns every readable seal. An unreadable line proves nothing, and neither would its absence. */
export function readKeptSeals(path: string): Seal[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  return text.split("\n").flatMap((line) => parseSeal(line) ?? []);
}

function parseSeal(line: string): Seal | null {
  try {
    const parsed = v.safeParse(sealSchema, JSON.parse(line));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}
