/**
 * The audit's files beside the database. `audit.key`: 256 random bits in hex, readable by its owner only. `.checkpoints`: seals, one JSON line
 * each; an older copy of the database lacks the rows that they cover.
 */
import { randomBytes } from "node:crypto";
import { appendFileSync, chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { PRIVATE_FILE_MODE } from "../../config/private-files.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { formatCanonicalJson } from "../audit/canonical.js";
import type { Seal } from "../audit/seal.js";

const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}\n?$/;

const natural = v.pipe(v.number(), v.integer(), v.minValue(0));
const sealSchema = v.strictObject({
  at: v.pipe(v.number(), v.integer()),
  count: natural,
  head: v.string(),
  key: v.string(),
  mac: v.string(),
});

export function locateAuditKey(databasePath: string): string {
  return join(dirname(databasePath), "audit.key");
}

/** Null if there is none. Errors: ATB_STORE_DAMAGED if it is not a key; file system errors. */
export function readAuditKey(path: string): Buffer | null {
  const text = readIfThere(path);
  if (text === null) return null;
  if (KEY.test(text)) return Buffer.from(text.trim(), "hex");
  throw new AtlasBridgeError("ATB_STORE_DAMAGED", `${path} does not contain a key.`, {
    hint: "Restore it from a backup. Without a backup, move it away: a new key is created, which the audit records.",
  });
}

/** Reads the key, or creates one. Only the hub calls this. */
export function ensureAuditKey(path: string): Buffer {
  const found = readAuditKey(path);
  if (found) {
    chmodSync(path, PRIVATE_FILE_MODE);
    return found;
  }
  const key = randomBytes(KEY_BYTES);
  // Renamed into place, because half a key after a crash would be useless forever.
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${key.toString("hex")}\n`, { mode: PRIVATE_FILE_MODE, flag: "wx", flush: true });
  renameSync(draft, path);
  return key;
}

export function locateKeptSeals(databasePath: string): string {
  return `${databasePath}.checkpoints`;
}

/** Starts with a line break, so that a line truncated by a crash does not spoil this one. */
export function keepSeal(path: string, seal: Seal): void {
  appendFileSync(path, `\n${formatCanonicalJson(seal)}\n`, { mode: PRIVATE_FILE_MODE });
}

/** Returns every readable seal. An unreadable line proves nothing, and neither would its absence. */
export function readKeptSeals(path: string): Seal[] {
  return (readIfThere(path) ?? "").split("\n").flatMap((line) => parseSeal(line) ?? []);
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function parseSeal(line: string): Seal | null {
  try {
    const parsed = v.safeParse(sealSchema, JSON.parse(line));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}
