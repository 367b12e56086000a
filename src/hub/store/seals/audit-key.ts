/** The file `audit.key`: 256 random bits in hex, for its owner only. Whoever has it can seal an audit; nobody else can. */
import { randomBytes } from "node:crypto";
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AtlasBridgeError } from "../../../model/errors.js";
import { PRIVATE_FILE_MODE } from "../../../config/private-files.js";

const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}\n?$/;

/** Where it lies unless somebody says otherwise: beside its database. */
export function auditKeyBeside(databasePath: string): string {
  return join(dirname(databasePath), "audit.key");
}

/** Null where there is none. Errors: ATB_STORE_DAMAGED where it is no key; those of the file system. */
export function readAuditKey(path: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  if (KEY.test(text)) return Buffer.from(text.trim(), "hex");
  throw new AtlasBridgeError("ATB_STORE_DAMAGED", `${path} holds no key.`, {
    hint: "Restore it from a backup. Without one move it away: a new key is made, and that is put on record.",
  });
}

/** Reads the key, or makes one. Only the hub calls this. */
export function ensureAuditKey(path: string): Buffer {
  const found = readAuditKey(path);
  if (found) {
    chmodSync(path, PRIVATE_FILE_MODE);
    return found;
  }
  const key = randomBytes(KEY_BYTES);
  // Whole or not at all: half a key after a crash would be none for ever.
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${key.toString("hex")}\n`, { mode: PRIVATE_FILE_MODE, flag: "wx", flush: true });
  renameSync(draft, path);
  return key;
}
