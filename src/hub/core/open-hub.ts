/** Opens the ledger and builds the hub on it. */
import { Hub } from "./hub.js";
import type { OpenHubOptions } from "./hub-options.js";
import { openStore } from "../store/open-store.js";

/** Opens the database and builds the hub's core on it. Errors: ATB_STORE_DAMAGED, ATB_STORE_FAILED. */
export async function openHub(options: OpenHubOptions): Promise<Hub> {
  const { databasePath: path, redact, auditKey } = options;
  const store = await openStore({ path, redact, ...(auditKey === undefined ? {} : { auditKey }) });
  return new Hub(store, options);
}
