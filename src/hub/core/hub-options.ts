/** What the hub's core is made of. */
import type { Clock } from "../../model/clock.js";
import type { Log } from "../../observe/log.js";
import type { Random } from "../../observe/random.js";
import type { SafeText } from "../delivery/notices/outcome-text.js";
import type { Decide } from "../policy/verdict.js";
import type { LedgerOptions, LedgerSettings } from "../ledger/ledger.js";
import type { LostSessionsOptions } from "../sessions/lost-sessions.js";
import type { PaintScreen } from "../picture/paint.js";

export interface HubOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Takes secrets and tricks out of everything that is shown to people. */
  readonly safeText: SafeText;
  readonly settings: LedgerSettings;
  readonly processAlive: LostSessionsOptions["processAlive"];
  /** Whether it is stopped (Ctrl-Z). Default: nobody knows of any. */
  readonly processStopped?: LedgerOptions["processStopped"];
  readonly log: Log;
  /** Of this program; workers are told. */
  readonly version: string;
  /** Draws screens; without it they are shown as text. */
  readonly paintScreen?: PaintScreen;
  /** The policy; without one everything is asked. */
  readonly decide?: Decide;
}

export interface OpenHubOptions extends HubOptions {
  readonly databasePath: string;
  /** Takes secrets out of what goes into the audit. */
  readonly redact: (text: string) => string;
  /** The key that the audit is sealed with. Default: `audit.key` beside the database. */
  readonly auditKey?: string;
}
