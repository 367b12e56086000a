/** SQLite's errors in our words. A broken constraint stays what it is: a bug of ours. */
import { AtlasBridgeError } from "../../model/errors.js";

const CORRUPT = /^SQLITE_(?:CORRUPT|NOTADB|FORMAT)/;
const OF_THE_MACHINE = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|PERM|NOMEM|NOLFS|AUTH)/;

/** The coded form of an error of SQLite or of the file system; anything else comes back as it is. */
export function storeError(error: unknown, path: string): unknown {
  const code = codeOf(error);
  if (CORRUPT.test(code) || isMissingPart(error)) {
    return new AtlasBridgeError("ATB_STORE_DAMAGED", `${path} is corrupt (${code}).`, {
      hint: "Restore it from a backup or move it away; open questions are asked again.",
      cause: error,
    });
  }
  if (OF_THE_MACHINE.test(code) || /^E[A-Z]+$/.test(code)) {
    return new AtlasBridgeError("ATB_STORE_FAILED", `${path} could not be read or written (${code}).`, {
      hint: "Check the disk's free space and the owner and mode of the data directory.",
      cause: error,
    });
  }
  return error;
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

/** The version says "ours", yet a table or column is gone. */
function isMissingPart(error: unknown): boolean {
  return error instanceof Error && /^no such (?:table|column)/.test(error.message);
}

/** The hub has a file open that nobody finds any more. */
export function removedError(path: string): AtlasBridgeError {
  return new AtlasBridgeError(
    "ATB_STORE_DAMAGED",
    `${path} was removed or replaced while the hub had it open`,
    {
      hint: "Nothing is answered any more. Stop the hub with `atlasbridge hub stop`, put the ledger back from a copy or go without it, and start the hub again.",
    },
  );
}
