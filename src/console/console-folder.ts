/** The folder of a session's scripts, blocks and outputs. Neither other users nor other sessions' isolated tools can read it. */
import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { getOwnUid } from "../config/own-user.js";
import { ensurePrivateDirectory } from "../config/private-files.js";
import { AtlasBridgeError } from "../model/errors.js";

const PREFIX = "console-";
/** Safe between the quotes of many languages. */
const PLAIN_PATH = /^[\p{L}\p{M}\p{N} ./_+@%:,~-]+$/u;
/** The process may run in another container and be invisible here, so a recent folder is kept. */
const LEFT_MS = 3_600_000;

/** The name contains the process. Errors: ATB_TOOL_START_FAILED; those of `ensurePrivateDirectory`. */
export function createConsoleFolder(parent: string): string {
  if (!PLAIN_PATH.test(parent))
    throw new AtlasBridgeError(
      "ATB_TOOL_START_FAILED",
      `a console cannot keep its scripts in ${parent}: its name has a character that shells read as their own`,
      { hint: "Set ATLASBRIDGE_HOME to a directory without such characters." },
    );
  ensurePrivateDirectory(parent);
  return mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
}

/** The user's own folders of all sessions, also of those that were killed. */
export function listConsoleFolders(parent: string): string[] {
  return listNames(parent)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(parent, name))
    .filter(isOwnFolder);
}

function listNames(parent: string): readonly string[] {
  try {
    return readdirSync(parent);
  } catch {
    return [];
  }
}

function isOwnFolder(path: string): boolean {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  return facts?.isDirectory() === true && facts.uid === getOwnUid();
}

/** Removes folders of processes that have exited. `now`: ms since 1970. */
export function removeLeftFolders(parent: string, now: number): void {
  for (const folder of listConsoleFolders(parent)) if (isLeft(folder, now)) remove(folder);
}

function isLeft(folder: string, now: number): boolean {
  const [, pid] = new RegExp(`${PREFIX}(\\d{1,10})-\\w+$`, "u").exec(folder) ?? [];
  const facts = lstatSync(folder, { throwIfNoEntry: false });
  if (pid === undefined || !facts) return false;
  return now - facts.mtimeMs > LEFT_MS && isGone(Number(pid));
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The next session tries again.
  }
}
