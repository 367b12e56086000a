/** The dependencies of the hub's core. */
import type { Clock } from "../../model/clock.js";
import type { Log } from "../../observe/log.js";
import type { Random } from "../../observe/random.js";
import type { SafeText } from "../delivery/notices/outcome-text.js";
import { NO_POLICY, type ActivePolicy, type Decide } from "../policy/verdict.js";
import type { LedgerOptions, LedgerSettings } from "../ledger/ledger.js";
import type { LostSessionsOptions } from "../sessions/lost-sessions.js";
import type { PaintScreen } from "../picture/paint.js";

export interface HubOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Removes secrets and misleading characters from everything that people see. */
  readonly safeText: SafeText;
  readonly settings: LedgerSettings;
  readonly processAlive: LostSessionsOptions["processAlive"];
  /** Whether the process is stopped (Ctrl-Z). Default: never. */
  readonly processStopped?: LedgerOptions["processStopped"];
  readonly log: Log;
  /** Version of this program; workers receive it. */
  readonly version: string;
  /** Renders screens as pictures. Without it, screens are sent as text. */
  readonly paintScreen?: PaintScreen;
  /** Default: that of this machine. */
  readonly hostname?: string;
  /** The present policy. Without one, every prompt goes to people. */
  readonly policy?: () => ActivePolicy;
  /** A fixed policy of one function. */
  readonly decide?: Decide;
}

export function choosePolicy({ policy, decide }: HubOptions): () => ActivePolicy {
  const fixed = decide === undefined ? NO_POLICY : { ...NO_POLICY, decide };
  return policy ?? (() => fixed);
}

export interface OpenHubOptions extends HubOptions {
  readonly databasePath: string;
  /** Redacts secrets from what the audit records. */
  readonly redact: (text: string) => string;
  /** The file with the audit's sealing key. Default: `audit.key` beside the database. */
  readonly auditKey?: string;
}
