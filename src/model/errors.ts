/** Operational errors have a code and a hint (docs/reference/errors.md); programmer errors come from `assertInvariant`. */

/** Exit codes of the command line. `run` exits with the tool's code. */
export const EXIT = {
  ok: 0,
  error: 1,
  config: 2,
  environment: 3,
  // One code for both: a script should check the actual state before it tries again.
  network: 4,
  uncertain: 4,
  permission: 5,
  security: 6,
  damaged: 8,
  /** EX_TEMPFAIL of sysexits.h: a service manager restarts the hub, then with the newly installed program. */
  replaced: 75,
  /** The same code as timeout(1). */
  timedOut: 124,
  notFound: 127,
  interrupted: 130,
  /** The code of programs that SIGPIPE ends. */
  unread: 141,
} as const;

/** The meaning of each exit code; the last ones are signals, counted as shells do. */
export const EXIT_MEANINGS: Readonly<Record<number, string>> = {
  0: "success; of `answer --wait`: the answer is confirmed, or taken by the tool",
  1: "error; of `answer`: rejected, withdrawn, failed or expired",
  2: "configuration",
  3: "environment",
  4: "network; of `answer --wait`: the answer was sent to the tool but not confirmed",
  5: "permission; of `exec`: stopped because something it needs was denied",
  6: "security",
  8: "damaged state",
  75: "a hub that runs as a service was replaced; its manager restarts it",
  124: "`exec --timeout`: it timed out",
  127: "the tool was not found",
  130: "interrupted (Ctrl-C)",
  141: "the output pipe was closed before the command had ended",
};

/** Every code, its exit code and one line for `docs/reference/errors.md`. Retired codes must not be reused. */
export const ERROR_CODES = {
  ATB_USAGE: { exit: EXIT.error, meaning: "The command line was not understood." },
  ATB_CONFIG_INVALID: { exit: EXIT.config, meaning: "A configuration file does not fit its schema." },
  ATB_CONFIG_SECRET_MISSING: {
    exit: EXIT.config,
    meaning: "A `${ENV}` or `file:` secret could not be read.",
  },
  ATB_ADAPTER_INVALID: { exit: EXIT.config, meaning: "An adapter file is invalid." },
  ATB_ADAPTER_UNKNOWN: { exit: EXIT.config, meaning: "No adapter has that name." },
  ATB_ADAPTER_UNTRUSTED: {
    exit: EXIT.security,
    meaning:
      "An adapter file of yours is new or was changed, and nobody has agreed to run it. Nothing was started.",
  },
  ATB_BUNDLE_INVALID: {
    exit: EXIT.config,
    meaning:
      "A bundle of adapters does not fit its format, or its own scenarios fail. Nothing was installed.",
  },
  ATB_BUNDLE_UNTRUSTED: {
    exit: EXIT.security,
    meaning:
      "A bundle of adapters was changed after it was signed, or is signed by no key that is trusted here.",
  },
  ATB_BUNDLE_UNFIT: {
    exit: EXIT.config,
    meaning:
      "A bundle of adapters is valid but may not be installed here: another version of this program, an older bundle, or one that needs to be agreed to.",
  },
  ATB_BUNDLE_UNREACHABLE: { exit: EXIT.network, meaning: "A bundle of adapters could not be downloaded." },
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
  ATB_HUB_IMPOSTOR: {
    exit: EXIT.security,
    meaning: "A program that is not this user's hub listens on the hub's socket. Nothing was sent to it.",
  },
  ATB_HUB_SILENT: {
    exit: EXIT.environment,
    meaning: "A hub is running but does not respond.",
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
      "The connection to the hub ended or timed out before the response: the request may or may not have been carried out.",
  },
  ATB_SUPERVISED: {
    exit: EXIT.security,
    meaning:
      "A program that runs under AtlasBridge tried something only people may do: answer a prompt, or start or control the hub.",
  },
  ATB_SOCKET_UNSAFE: {
    exit: EXIT.security,
    meaning: "The socket's directory belongs to another user or is open to others.",
  },
  ATB_FILE_DENIED: {
    exit: EXIT.permission,
    meaning: "A file or directory of AtlasBridge may not be read or written by this user.",
  },
  ATB_FILE_FOREIGN: {
    exit: EXIT.error,
    meaning:
      "A file that AtlasBridge would write exists and was written or changed by somebody else; it was left unchanged.",
  },
  ATB_STORE_DAMAGED: {
    exit: EXIT.damaged,
    meaning:
      "The database is corrupt, or has a newer schema or one from before the first release; it was left unchanged.",
  },
  ATB_STORE_FAILED: {
    exit: EXIT.environment,
    meaning: "The database, or a loop's checkpoint, could not be read or written.",
  },
  ATB_RELAY_IMPOSSIBLE: {
    exit: EXIT.config,
    meaning: "Relaying was required, but the configuration names nobody to ask.",
  },
  ATB_RELAY_UNPROVED: {
    exit: EXIT.network,
    meaning: "Relaying was required, but no channel connected in time.",
  },
  ATB_CHANNEL_UNKNOWN: { exit: EXIT.config, meaning: "No channel has that name." },
  ATB_ENDPOINT_UNCONFIRMED: {
    exit: EXIT.security,
    meaning:
      "The configuration names a custom address for a service, and nobody has confirmed that the token may go there. The channel stays closed until `atlasbridge channel trust` confirms it.",
  },
  ATB_CHANNEL_UNREACHABLE: {
    exit: EXIT.network,
    meaning: "The chat service could not be reached, so nothing was checked or sent.",
  },
  ATB_EXPORT_FAILED: {
    exit: EXIT.network,
    meaning: "Spans of the audit were not, or not all, accepted by the endpoint that they were sent to.",
  },
  ATB_PAIRING_FAILED: { exit: EXIT.network, meaning: "Pairing did not complete." },
} as const;

/** The code of an error; docs/reference/errors.md lists them. */
export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * States the problem, its place and the value that was found (message), and the remedy (hint). Never contains a token, reply text
 * or screen text.
 */
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

export function createUsageError(message: string, hint: string, cause?: unknown): AtlasBridgeError {
  return new AtlasBridgeError("ATB_USAGE", message, { hint, cause });
}

export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A violated assumption of our own code: a bug, never an operational state. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

export function assertInvariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
