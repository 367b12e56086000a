/** The file `audit.key`: 256 random bits in hex, readable by its owner only. Only its holder can seal an audit. */
import { randomBytes } from "node:crypto";
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AtlasBridgeError } from "../../../model/errors.js";
import { PRIVATE_FILE_MODE } from "../../../config/private-files.js";

const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}\n?$/;

/** The default location, beside the database. */
export function locateAuditKey(databasePath: string): string {
  return join(dirname(databasePath), "audit.key");
}

/** Null if there is none. Errors: ATB_STORE_DAMAGED if it is not a key; file system errors. */
export function readAuditKey(path: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
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
