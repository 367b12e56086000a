/** The data of an `atlasbridge doctor` check. `--json` prints these fields, and docs/how-to/doctor.md documents them. */
import { AtlasBridgeError } from "../model/errors.js";
import { redact } from "../safety/redact.js";

/** Names are stable, because scripts use them. In the order of output. */
export const CHECKS = {
  node: { group: "runtime", about: "Node's version" },
  "node-pty": { group: "runtime", about: "the terminal addon loads" },
  "better-sqlite3": { group: "runtime", about: "the database addon loads" },
  koffi: { group: "runtime", about: "the addon that identifies calling processes loads" },
  "@resvg/resvg-js": { group: "runtime", about: "the addon that draws pictures of the screen loads" },
  terminal: { group: "terminal", about: "this terminal: its size, and programs around it" },
  terminal_type: { group: "terminal", about: "`TERM`" },
  locale: { group: "terminal", about: "characters beyond ASCII" },
  directories: { group: "files", about: "data, logs and socket directories: yours, closed to others (0700)" },
  config_file: { group: "files", about: "the configuration file: who may change and read it (0600)" },
  private_files: { group: "files", about: "secrets, database, log: yours, closed to others (0600)" },
  disk: { group: "files", about: "free space and write permission" },
  config: { group: "configuration", about: "the configuration, as the hub would read it" },
  people: { group: "configuration", about: "who may answer from a channel" },
  secrets: { group: "configuration", about: "variables of the configuration that no tool gets" },
  socket: { group: "hub", about: "what listens on the hub's socket" },
  hub: { group: "hub", about: "the running hub's version and load" },
  sessions: { group: "sessions", about: "how many running sessions are healthy" },
  session: {
    group: "sessions",
    about:
      "`session:<id>`: a session that does not respond, whose tool cannot be typed into, whose output nobody reads, or that makes no progress",
  },
  database: {
    group: "database",
    about: "it opens, its schema, SQLite's own check, and rows that are damaged or not written by the hub",
  },
  audit: { group: "database", about: "the whole audit log, as `audit verify` checks it" },
  channel: {
    group: "channels",
    about:
      "`channel:<id>`: whether its service is reachable, checked through the hub if one is running; an unconfirmed address is never contacted",
  },
  adapters: { group: "adapters", about: "which adapter files are usable" },
  adapter: {
    group: "adapters",
    about: "`adapter:<name>`: an unusable file, one of yours or of a bundle, or the installed tool's version",
  },
  programs: {
    group: "adapters",
    about: "which files of shells and interpreters are usable, and what is installed",
  },
  program: { group: "adapters", about: "`program:<name>`: an unusable file, or one of yours" },
  reading: {
    group: "adapters",
    about: "`reading:<tool>`: how often its dialogs were read otherwise than its own requests say",
  },
  bundle: {
    group: "adapters",
    about: "`bundle:<name>`: an installed bundle is what was signed, by a key that is trusted, and used",
  },
} as const;
type Kind = keyof typeof CHECKS;
export type Group = (typeof CHECKS)[Kind]["group"];
type Named = "session" | "channel" | "adapter" | "program" | "reading" | "bundle";
export type CheckName = Exclude<Kind, Named> | `${Named}:${string}`;

/** `warn`: it works, or will, but a person should know. */
export type CheckState = "ok" | "warn" | "fail";

export interface CheckFinding {
  readonly name: CheckName;
  readonly state: CheckState;
  /** Contains no token. */
  readonly found: string;
  /** Null if nothing needs to be done. */
  readonly action: string | null;
}

export interface Check extends CheckFinding {
  readonly group: Group;
}

export interface Diagnosis {
  readonly state: CheckState;
  readonly version: string;
  readonly checks: readonly Check[];
}

export function passCheck(name: CheckName, found: string): CheckFinding {
  return { name, state: "ok", found, action: null };
}

export function warnCheck(name: CheckName, found: string, action: string | null): CheckFinding {
  return { name, state: "warn", found, action };
}

export function failCheck(name: CheckName, found: string, action: string | null): CheckFinding {
  return { name, state: "fail", found, action };
}

/** In the words of the failing command; any other error as a bug. */
export function reportError(name: CheckName, error: unknown): CheckFinding {
  if (error instanceof AtlasBridgeError)
    return failCheck(name, `${error.message} (${error.code})`, error.hint === "" ? null : error.hint);
  const told = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return failCheck(name, `this check itself failed: ${redact(told)}`, "Report it as a bug of AtlasBridge.");
}

/** An exception becomes a finding, so that the other checks still report. */
export async function examine(
  name: CheckName,
  look: () => readonly CheckFinding[] | Promise<readonly CheckFinding[]>,
): Promise<Check[]> {
  const findings = await Promise.resolve()
    .then(look)
    .catch((error: unknown) => [reportError(name, error)]);
  return findings.map((finding) => ({ group: getGroup(finding.name), ...finding }));
}

function getGroup(name: CheckName): Group {
  return CHECKS[name.split(":")[0] as Kind].group;
}

export function findWorst(checks: readonly CheckFinding[]): CheckState {
  const states = new Set(checks.map(({ state }) => state));
  return states.has("fail") ? "fail" : states.has("warn") ? "warn" : "ok";
}
