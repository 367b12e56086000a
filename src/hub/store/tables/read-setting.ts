/** Reads one setting without the hub, with its proof checked. */
import { existsSync } from "node:fs";
import { readAuditKey } from "../seals/audit-key.js";
import { readSchemaVersion } from "../inspect-store.js";
import { SCHEMA_VERSION } from "../migrations/index.js";
import { readStore } from "../read-store.js";
import { RowSeals } from "../seals/row-seals.js";
import { HubSettings } from "./settings.js";

/** Null if there is none with a valid proof. Errors: ATB_STORE_DAMAGED, ATB_STORE_FAILED. */
export async function readSetting(
  { path, auditKey }: { readonly path: string; readonly auditKey: string },
  scope: string,
  key: string,
): Promise<string | null> {
  const ledgerKey = existsSync(path) ? readAuditKey(auditKey) : null;
  if (ledgerKey === null) return null;
  return readStore(path, (sqlite) => {
    if (readSchemaVersion(sqlite) !== SCHEMA_VERSION) return null;
    return new HubSettings(sqlite, new RowSeals(sqlite, ledgerKey)).get(scope, key);
  });
}
