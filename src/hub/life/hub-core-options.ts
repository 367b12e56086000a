/** What the hub's core is made of. */
import type { Clock } from "../../model/clock.js";
import type { Log } from "../../observe/log.js";
import type { Random } from "../../observe/random.js";
import type { SafeText } from "../delivery/outcome-text.js";
import type { Decide } from "../policy/verdict.js";
import type { LedgerSettings } from "./ledger.js";
import type { LostSessionsOptions } from "./lost-sessions.js";
import type { PaintScreen } from "../picture/paint.js";

export interface HubCoreOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Takes secrets and tricks out of everything that is shown to people. */
  readonly safeText: SafeText;
  readonly settings: LedgerSettings;
  readonly processAlive: LostSessionsOptions["processAlive"];
  readonly log: Log;
  /** Of this program; workers are told. */
  readonly version: string;
  /** Draws screens; without it they are shown as text. */
  readonly paintScreen?: PaintScreen;
  /** The policy; without one everything is asked. */
  readonly decide?: Decide;
}

export interface OpenHubCoreOptions extends HubCoreOptions {
  readonly databasePath: string;
  /** Takes secrets out of what goes into the audit. */
  readonly redact: (text: string) => string;
  /** The key that the audit is sealed with. Default: `audit.key` beside the database. */
  readonly auditKey?: string;
}
