/** A copy of the database as it is at one instant, made while the hub goes on writing. */
import { closeSync, copyFileSync, existsSync, openSync, rmSync } from "node:fs";
import { AtlasBridgeError } from "../../model/errors.js";
import { inspectStore } from "./inspect-store.js";
import { keptSealsBeside } from "./seals/kept-seals.js";
import { storeError } from "./sqlite-errors.js";
import { PRIVATE_FILE_MODE } from "../../config/private-files.js";

/**
 * Writes the copy to `target`, which must not be there, and the kept seals beside it. Its audit is checked with the same key.
 * Errors: ATB_STORE_DAMAGED, ATB_STORE_FAILED, ATB_FILE_FOREIGN where something is in the place.
 */
export async function archiveStore(path: string, target: string): Promise<void> {
  const { openSqlite } = await import("../sqlite/open-sqlite.js");
  claimPlace(target);
  try {
    const sqlite = openSqlite(path, { readonly: true, fileMustExist: true });
    try {
      inspectStore(sqlite, path);
      // Before the copy: seals must never be ahead of what they seal.
      const seals = keptSealsBeside(path);
      if (existsSync(seals)) copyFileSync(seals, keptSealsBeside(target));
      sqlite.prepare("VACUUM INTO ?").run(target);
    } finally {
      sqlite.close();
    }
  } catch (error) {
    for (const file of [target, keptSealsBeside(target)]) rmSync(file, { force: true });
    throw storeError(error, path);
  }
}

/** SQLite writes into an empty file that is there: private from its first byte on. */
function claimPlace(target: string): void {
  try {
    closeSync(openSync(target, "wx", PRIVATE_FILE_MODE));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw storeError(cause, target);
    throw new AtlasBridgeError("ATB_FILE_FOREIGN", `${target} is there already; it was not touched`, {
      hint: "Name a file that is not there yet.",
      cause,
    });
  }
}
