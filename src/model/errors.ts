/** Operational errors are coded and carry a hint (docs/reference/errors.md); programmer errors are `invariant`. */

/** Exit codes of the command line. `run` exits as the tool did. */
export const EXIT = {
  ok: 0,
  error: 1,
  config: 2,
  environment: 3,
  network: 4,
  uncertain: 4,
  permission: 5,
  security: 6,
  damaged: 8,
  /** EX_TEMPFAIL of sysexits.h: a service manager starts the hub again, then with the program that is installed now. */
  replaced: 75,
  /** As timeout(1) says it. */
  timedOut: 124,
  notFound: 127,
  interrupted: 130,
} as const;

/** What each exit code says; the last ones are signals, as shells count them. */
export const EXIT_MEANINGS: Readonly<Record<number, string>> = {
  0: "done; of `answer --wait`: the tool took the answer",
  1: "error; of `answer`: refused, withdrawn, failed or expired",
  2: "configuration",
  3: "environment",
  4: "network; of `answer --wait`: the answer was written, but nothing proves that it was taken",
  5: "permission; of `exec`: stopped because it was refused what it needs",
  6: "security",
  8: "damaged state",
  75: "a hub that was started as a service made way for another one; its manager starts it again",
  124: "`exec --timeout`: it timed out",
  127: "the tool was not found",
  130: "interrupted (Ctrl-C)",
  141: "`exec`: its output pipe was closed",
};

/** Every code, its exit code and one line for `docs/reference/errors.md`. Retired codes must not be used again. */
export const ERROR_CODES = {
  ATB_USAGE: { exit: EXIT.error, meaning: "The command line was not understood." },
  ATB_CONFIG_INVALID: { exit: EXIT.config, meaning: "A configuration file does not fit its schema." },
  ATB_CONFIG_SECRET_MISSING: {
    exit: EXIT.config,
    meaning: "A `${ENV}` or `file:` secret could not be read.",
  },
  ATB_ADAPTER_INVALID: { exit: EXIT.config, meaning: "An adapter file does not fit schema 1." },
  ATB_ADAPTER_UNKNOWN: { exit: EXIT.config, meaning: "No adapter has that name." },
  ATB_SCENARIO_INVALID: { exit: EXIT.config, meaning: "A Prompt Lab scenario does not fit its format." },
  ATB_TOOL_NOT_FOUND: { exit: EXIT.notFound, meaning: "The executable to run was not found." },
  ATB_TOOL_START_FAILED: { exit: EXIT.environment, meaning: "The tool could not be started in a terminal." },
  ATB_ISOLATION_UNAVAILABLE: {
    exit: EXIT.environment,
    meaning:
      "This system cannot keep a tool away from the ledger as `--isolate` promises, or the working directory is inside what `--isolate` blocks.",
  },
  ATB_HUB_UNREACHABLE: { exit: EXIT.environment, meaning: "The hub could not be started or reached." },
  ATB_HUB_REFUSED: { exit: EXIT.error, meaning: "The hub refused a request." },
  ATB_HUB_FALSE: {
    exit: EXIT.security,
    meaning: "A program that is not this user's hub listens on the hub's socket. Nothing was sent to it.",
  },
  ATB_HUB_SILENT: {
    exit: EXIT.environment,
    meaning: "A hub is running and does not respond.",
  },
  ATB_WIRE_INVALID: { exit: EXIT.error, meaning: "A message between worker and hub breaks the protocol." },
  ATB_WIRE_VERSION: { exit: EXIT.environment, meaning: "Worker and hub speak different protocol versions." },
  ATB_WIRE_TOO_OLD: {
    exit: EXIT.environment,
    meaning:
      "This program is older than the running hub. Its sessions are not relayed until they are started again.",
  },
  ATB_WIRE_LOST: {
    exit: EXIT.environment,
    meaning:
      "The connection to the hub ended, or was silent too long, before the answer came: what was asked may or may not have happened.",
  },
  ATB_SUPERVISED: {
    exit: EXIT.security,
    meaning:
      "A program that runs under AtlasBridge tried what only people may: to answer a question, or to start or steer the hub.",
  },
  ATB_SOCKET_UNSAFE: {
    exit: EXIT.security,
    meaning: "The socket's directory belongs to somebody else or is open to others.",
  },
  ATB_FILE_DENIED: {
    exit: EXIT.permission,
    meaning: "A file or directory of AtlasBridge may not be read or written by this user.",
  },
  ATB_FILE_FOREIGN: {
    exit: EXIT.error,
    meaning:
      "A file in the place of one of ours was written or changed by somebody else; it was not touched.",
  },
  ATB_STORE_DAMAGED: {
    exit: EXIT.damaged,
    meaning: "The database is corrupt or of a newer schema; it was not touched.",
  },
  ATB_STORE_FAILED: {
    exit: EXIT.environment,
    meaning: "The database, or where a loop keeps how far it is, could not be read or written.",
  },
  ATB_RELAY_IMPOSSIBLE: {
    exit: EXIT.config,
    meaning: "Relaying was required, and the configuration names nobody who could be asked.",
  },
  ATB_RELAY_UNPROVED: {
    exit: EXIT.network,
    meaning: "Relaying was required, and no channel proved in time that it reaches anybody.",
  },
  ATB_CHANNEL_UNKNOWN: { exit: EXIT.config, meaning: "No channel has that name." },
  ATB_ENDPOINT_UNCONFIRMED: {
    exit: EXIT.security,
    meaning:
      "The configuration names an address of its own for a service, and nobody has confirmed that the token may go there: that channel stays closed. `atlasbridge channel trust` asks.",
  },
  ATB_PAIRING_FAILED: { exit: EXIT.network, meaning: "Pairing did not complete." },
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Says what, where, what was found (message) and what to do (hint). Never holds a token, reply text or screen text. */
export class AtlasBridgeError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AtlasBridgeError";
    this.code = code;
    this.hint = options.hint ?? "";
  }

  get exitCode(): number {
    return ERROR_CODES[this.code].exit;
  }
}

/** A broken promise of our own code: it is a bug, never an operational state. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
