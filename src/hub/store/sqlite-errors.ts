/** Translates SQLite errors. A violated constraint is a bug and stays as it is. */
import { AtlasBridgeError } from "../../model/errors.js";

const CORRUPT = /^SQLITE_(?:CORRUPT|NOTADB|FORMAT)/;
const OF_THE_MACHINE = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|PERM|NOMEM|NOLFS|AUTH)/;

export function toStoreError(error: unknown, path: string): unknown {
  const code = getCode(error);
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

function getCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

/** The version matches, yet a table or column is missing. */
function isMissingPart(error: unknown): boolean {
  return error instanceof Error && /^no such (?:table|column)/.test(error.message);
}

export function createRemovedError(path: string): AtlasBridgeError {
  return new AtlasBridgeError(
    "ATB_STORE_DAMAGED",
    `${path} was removed or replaced while the hub had it open`,
    {
      hint: "No answers are accepted. Stop the hub with `atlasbridge hub stop`, restore the ledger from a copy or start with a new one, and start the hub again.",
    },
  );
}
