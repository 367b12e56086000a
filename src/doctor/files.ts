/** Checks permissions of directories and files, and free space. */
import { accessSync, constants, existsSync, lstatSync, statfsSync, statSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import type { Paths } from "../config/paths.js";
import { findDirectoryProblem, statUnfollowed, createUnsafeError } from "../config/private-files.js";
import { reportError, failCheck, passCheck, warnCheck, type CheckFinding } from "./check.js";
import type { BadRow, StoreExamination } from "../hub/store/verify-store.js";
import { makePrintable } from "../sdk/text.js";

const OTHERS_MAY_WRITE = 0o022;
const OTHERS_MAY_ANYTHING = 0o077;
const ROOT = 0;
/** A day of the busiest hub. */
const FREE_BYTES_LOW = 100 * 1024 * 1024;

export interface FileSettings {
  readonly paths: Paths;
  readonly uid: number;
  readonly secretFiles: readonly string[];
}

export function checkFiles(settings: FileSettings): CheckFinding[] {
  const { paths } = settings;
  return [
    ...checkDirectories(settings),
    checkConfigFile(paths.config, settings.uid),
    ...checkPrivateFiles(settings),
    checkDisk(paths.dataDir),
  ];
}

function checkDirectories({ paths, uid }: FileSettings): CheckFinding[] {
  const folders = [...new Set([paths.dataDir, paths.logsDir, dirname(paths.socket)])];
  const findings = folders.flatMap((folder) => checkDirectory(folder, uid));
  const bad = findings.filter(({ state }) => state !== "ok");
  if (bad.length > 0) return bad;
  const found = findings.length === 0 ? "not created yet; the first run creates it" : "private to you";
  return [passCheck("directories", `${paths.dataDir}: ${found}`)];
}

function checkDirectory(folder: string, uid: number): CheckFinding[] {
  try {
    const found = statUnfollowed(folder);
    if (!found) return [];
    const problem = findDirectoryProblem(folder, uid);
    if (problem) return [reportError("directories", createUnsafeError(folder, problem))];
    const { mode } = found;
    if (!(mode & OTHERS_MAY_ANYTHING)) return [passCheck("directories", folder)];
    const open = `${folder} may be entered by others (mode ${formatMode(mode)})`;
    const action = `The hub fixes this when it starts; or run \`chmod 700 ${folder}\` now.`;
    return [warnCheck("directories", open, action)];
  } catch (error) {
    return [reportError("directories", error)];
  }
}

/** A symbolic link is allowed: people keep their configuration under version control. */
function checkConfigFile(file: string, uid: number): CheckFinding {
  const stats = statIfPresent(file);
  if (!stats) return passCheck("config_file", `${file} does not exist`);
  const changeable = changedByOthers(stats, uid) ?? changedByOthers(statSync(dirname(file)), uid);
  if (changeable !== null)
    return failCheck("config_file", `${file} ${changeable}: they decide who may answer`, adviseMode(file));
  if (stats.mode & OTHERS_MAY_ANYTHING)
    return warnCheck(
      "config_file",
      `${file} may be read by others (mode ${formatMode(stats.mode)})`,
      adviseMode(file),
    );
  return passCheck("config_file", `${file}: private to you`);
}

function checkPrivateFiles({ paths, uid, secretFiles }: FileSettings): CheckFinding[] {
  const files = [...secretFiles, paths.database, paths.hubLog, paths.auditKey].filter((file) => exists(file));
  const bad = files.flatMap((file) => checkPrivateFile(file, statSync(file), uid));
  if (bad.length > 0) return bad;
  const count = `${files.length} ${files.length === 1 ? "file" : "files"} with secrets or prompts`;
  return [passCheck("private_files", files.length === 0 ? "none yet" : `${count}: private to you`)];
}

function checkPrivateFile(file: string, stats: Stats, uid: number): CheckFinding[] {
  if (stats.uid !== uid)
    return [failCheck("private_files", `${file} belongs to user ${stats.uid}, not to ${uid}`, CHOWN)];
  if (!(stats.mode & OTHERS_MAY_ANYTHING)) return [];
  return [
    failCheck(
      "private_files",
      `${file} is open to others (mode ${formatMode(stats.mode)})`,
      adviseMode(file),
    ),
  ];
}

const CHOWN = "Was AtlasBridge started with sudo? Take ownership back with chown.";

function changedByOthers({ uid: owner, mode }: Stats, uid: number): string | null {
  if (owner !== uid && owner !== ROOT) return `belongs to user ${owner}`;
  return mode & OTHERS_MAY_WRITE ? `may be changed by others (mode ${formatMode(mode)})` : null;
}

function adviseMode(file: string): string {
  return `Run \`chmod 600 ${file}\`.`;
}

function checkDisk(dataDir: string): CheckFinding {
  const folder = findNearestExisting(dataDir);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    return failCheck(
      "disk",
      `${folder} cannot be written to`,
      "Set ATLASBRIDGE_HOME to a directory of yours.",
    );
  }
  const { bavail, bsize } = statfsSync(folder);
  const free = `${Math.floor((bavail * bsize) / 1024 ** 2)} MiB free`;
  if (bavail * bsize >= FREE_BYTES_LOW) return passCheck("disk", free);
  return warnCheck(
    "disk",
    `${folder}: only ${free}`,
    "Make room: prompts that cannot be stored are not relayed.",
  );
}

function findNearestExisting(path: string): string {
  return existsSync(path) ? path : findNearestExisting(dirname(path));
}

/** Its directory was checked before. */
function exists(path: string): boolean {
  return statIfPresent(path, lstatSync) !== undefined;
}

function statIfPresent(path: string, look: (path: string) => Stats = statSync): Stats | undefined {
  try {
    return look(path);
  } catch {
    return undefined;
  }
}

function formatMode(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, "0");
}

/** `found` null: there is no database. `left`: files that belong to one. */
export function checkDatabase(
  path: string,
  found: StoreExamination | null,
  left: readonly string[] = [],
): CheckFinding[] {
  if (!found && left.length > 0) return [reportMissing(path, left)];
  if (!found) return [passCheck("database", `${path} does not exist yet; the first hub creates it`)];
  const { schema, newestSchema, audit, badRows } = found;
  const older = schema < newestSchema ? `, which the next hub migrates to ${newestSchema}` : "";
  const database =
    badRows.length > 0
      ? reportBadRows(path, badRows)
      : passCheck("database", `${path}: sound, schema ${schema}${older}`);
  return audit ? [database, checkAudit(audit)] : [database];
}

function reportMissing(path: string, left: readonly string[]): CheckFinding {
  return failCheck(
    "database",
    `${path}: the ledger is missing although ${left.join(" and ")} ${left.length === 1 ? "exists" : "exist"}`,
    "A running hub accepts no answers without it: run `atlasbridge hub stop`. Restore a copy of the ledger, or let the next hub create a new one.",
  );
}

function reportBadRows(path: string, rows: readonly BadRow[]): CheckFinding {
  const lines = rows.map(({ table, row }) =>
    makePrintable(`${table} ${row}: it was set aside`, ROW_NAME_MAX),
  );
  return failCheck(
    "database",
    [`${path}: ${rows.length === 1 ? "a row" : "rows"} could not be read`, ...lines].join("\n"),
    "Everything else keeps working. Check the disk, and keep a copy: `atlasbridge db archive`.",
  );
}

/** For a table and an id. */
const ROW_NAME_MAX = 120;

/** As `audit verify` does. */
function checkAudit({ rows, verdict }: NonNullable<StoreExamination["audit"]>): CheckFinding {
  if (verdict.intact) return passCheck("audit", `${rows} steps, all intact`);
  const problem = verdict.problem.replaceAll("_", " ");
  return failCheck(
    "audit",
    `the audit log is not intact from step ${verdict.position} on (${problem})`,
    "Run `atlasbridge audit verify`: it shows details. Keep a copy of the database; compare it with a backup.",
  );
}
