/** Commands on the ledger's files: verify the audit, show its size, copy it. Starts no hub. */
import { resolve } from "node:path";
import { resolvePaths } from "../../config/paths.js";
import { archiveStore } from "../../hub/store/archive-store.js";
import { countStore, type StoreCounts } from "../../hub/store/count-store.js";
import { verifyStoreAudit, type VerifiedAudit } from "../../hub/store/verify-store.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { formatInstant } from "../../model/clock.js";

export type { VerifiedAudit } from "../../hub/store/verify-store.js";

export interface AuditNote {
  readonly count: number;
  readonly hash: string;
}

export interface VerifyRequest {
  /** A copy instead of the active database. */
  readonly file?: string | undefined;
  readonly noted?: AuditNote | undefined;
}

/** Errors: ATB_STORE_FAILED if there is no database, ATB_STORE_DAMAGED if it is unreadable. */
export async function checkAudit({ file, noted }: VerifyRequest): Promise<VerifiedAudit> {
  const { database, auditKey } = resolvePaths();
  const path = file === undefined ? database : resolve(file);
  return (await verifyStoreAudit({ path, auditKey, noted })) ?? throwMissing(path, file === undefined);
}

export interface LedgerInfo extends StoreCounts {
  readonly path: string;
}

/** Errors: as `checkAudit`. */
export async function getLedgerInfo(): Promise<LedgerInfo> {
  const { database: path } = resolvePaths();
  return { path, ...((await countStore(path)) ?? throwMissing(path)) };
}

/** Copies the ledger to `file`, or beside the database with a timestamp in the name. Returns the path. */
export async function archiveLedger(file: string | undefined, now: number): Promise<string> {
  const { database } = resolvePaths();
  const target =
    file === undefined ? `${database}.${formatInstant(now).replaceAll(":", "-")}` : resolve(file);
  if ((await countStore(database)) === null) throwMissing(database);
  await archiveStore(database, target);
  return target;
}

function throwMissing(path: string, isInUse = true): never {
  throw new AtlasBridgeError("ATB_STORE_FAILED", `${path} does not exist`, {
    hint: isInUse
      ? "The first hub creates the database: run `atlasbridge hub start`."
      : "Give a copy made by `atlasbridge db archive`, or omit --file.",
  });
}
