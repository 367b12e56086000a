import { closeSync, copyFileSync, existsSync, openSync, rmSync } from "node:fs";
import { AtlasBridgeError } from "../../model/errors.js";
import { locateKeptSeals } from "./audit-files.js";
import { inspectStore } from "./read-store.js";
import { toStoreError } from "./sqlite-errors.js";
import { PRIVATE_FILE_MODE } from "../../config/private-files.js";

/**
 * Writes the copy to `target`, which must not exist, with the kept seals beside it. The same key verifies its audit. Errors:
 * ATB_STORE_DAMAGED, ATB_STORE_FAILED, ATB_FILE_FOREIGN if the target exists.
 */
export async function archiveStore(path: string, target: string): Promise<void> {
  const { openSqlite } = await import("../sqlite/open-sqlite.js");
  claimPlace(target);
  try {
    const sqlite = openSqlite(path, { readonly: true, fileMustExist: true });
    try {
      inspectStore(sqlite, path);
      // Copied before the database: seals must never be ahead of the rows they cover.
      const seals = locateKeptSeals(path);
      if (existsSync(seals)) copyFileSync(seals, locateKeptSeals(target));
      sqlite.prepare("VACUUM INTO ?").run(target);
    } finally {
      sqlite.close();
    }
  } catch (error) {
    for (const file of [target, locateKeptSeals(target)]) rmSync(file, { force: true });
    throw toStoreError(error, path);
  }
}

/** Creates the empty target file first, so that it is private from its first byte; SQLite then writes into it. */
function claimPlace(target: string): void {
  try {
    closeSync(openSync(target, "wx", PRIVATE_FILE_MODE));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw toStoreError(cause, target);
    throw new AtlasBridgeError("ATB_FILE_FOREIGN", `${target} already exists; it was not changed`, {
      hint: "Choose a file that does not exist yet.",
      cause,
    });
  }
}
