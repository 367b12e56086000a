/** The secret with which hub and callers authenticate each other. It is stored beside the ledger, for its owner only. */
import { randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createFileError } from "./file-errors.js";
import { getOwnUid } from "./own-user.js";
import type { Paths } from "./paths.js";
import { statUnfollowed, PRIVATE_FILE_MODE } from "./private-files.js";

const SECRET_BYTES = 32;
const SECRET_FORM = /^[0-9a-f]{64}\n?$/;
const OTHERS_MAY_ANYTHING = 0o077;

/** Null if it is missing, unreadable, or open to other users. */
export function readHubSecret({ hubSecret: path }: Pick<Paths, "hubSecret">): Buffer | null {
  try {
    const found = statUnfollowed(path);
    if (!found?.isFile() || found.uid !== getOwnUid() || (found.mode & OTHERS_MAY_ANYTHING) !== 0)
      return null;
    const text = readFileSync(path, "utf8");
    return SECRET_FORM.test(text) ? Buffer.from(text.trim(), "hex") : null;
  } catch {
    return null;
  }
}

/** Whether the secret exists and this program cannot read it, as in an isolated session (ADR 30). */
export function isHubSecretClosed({ hubSecret: path }: Pick<Paths, "hubSecret">): boolean {
  try {
    // Landlock does not affect access(2).
    closeSync(openSync(path, "r"));
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EACCES";
  }
}

export function ensureHubSecret(paths: Pick<Paths, "hubSecret">): Buffer {
  const known = readHubSecret(paths);
  if (known) return known;
  const made = randomBytes(SECRET_BYTES);
  writeHubSecret(paths, made);
  return made;
}

export function writeHubSecret({ hubSecret: path }: Pick<Paths, "hubSecret">, secret: Buffer): void {
  const draft = `${path}.new`;
  try {
    rmSync(draft, { force: true, recursive: true });
    writeFileSync(draft, `${secret.toString("hex")}\n`, { mode: PRIVATE_FILE_MODE, flag: "wx" });
    renameSync(draft, path);
  } catch (cause) {
    throw createFileError(cause, path, "cannot be written");
  }
}
