/** What people do with the ledger's files: check the audit, look how much there is, keep a copy. Starts no hub. */
import { resolve } from "node:path";
import { resolvePaths } from "../../config/paths.js";
import { archiveStore } from "../../hub/store/archive-store.js";
import { countStore, type StoreCounts } from "../../hub/store/count-store.js";
import { verifyStoreAudit, type VerifiedAudit } from "../../hub/store/verify-store.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { isoInstant } from "../../model/clock.js";

export type { VerifiedAudit } from "../../hub/store/verify-store.js";

export interface AuditNote {
  readonly count: number;
  readonly hash: string;
}

export interface VerifyRequest {
  /** A copy instead of the database in use. */
  readonly file?: string | undefined;
  readonly noted?: AuditNote | undefined;
}

/** Errors: ATB_STORE_FAILED where there is no database, ATB_STORE_DAMAGED where it cannot be read. */
export async function checkAudit({ file, noted }: VerifyRequest): Promise<VerifiedAudit> {
  const { database, auditKey } = resolvePaths();
  const path = file === undefined ? database : resolve(file);
  return (await verifyStoreAudit({ path, auditKey, noted })) ?? missing(path, file === undefined);
}

export interface LedgerInfo extends StoreCounts {
  readonly path: string;
}

/** Errors: as `checkAudit`. */
export async function ledgerInfo(): Promise<LedgerInfo> {
  const { database: path } = resolvePaths();
  return { path, ...((await countStore(path)) ?? missing(path)) };
}

/** Copies the ledger to `file`, or beside the database under a name with the instant. Returns where it is. */
export async function archiveLedger(file: string | undefined, now: number): Promise<string> {
  const { database } = resolvePaths();
  const target = file === undefined ? `${database}.${isoInstant(now).replaceAll(":", "-")}` : resolve(file);
  if ((await countStore(database)) === null) missing(database);
  await archiveStore(database, target);
  return target;
}

function missing(path: string, isInUse = true): never {
  throw new AtlasBridgeError("ATB_STORE_FAILED", `${path} is not there`, {
    hint: isInUse
      ? "The first hub makes the database: `atlasbridge hub start`."
      : "Name a copy that `atlasbridge db archive` has made, or leave out --file.",
  });
}
