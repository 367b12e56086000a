import type { ChildProcess } from "node:child_process";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createFileError } from "../config/file-errors.js";
import { AtlasBridgeError, ERROR_CODES, type ErrorCode } from "../model/errors.js";
import { PRIVATE_FILE_MODE } from "../config/private-files.js";

/** The size of the hub's log, where the output of a new hub begins. */
export function findLogEnd(hubLog: string): number {
  try {
    return statSync(hubLog).size;
  } catch {
    return 0; // What is wrong with it shows when the hub is started.
  }
}

/** Exit code 0: another hub serves already. */
export function hasFailed(child: ChildProcess): boolean {
  return child.pid === undefined || (child.exitCode ?? 0) !== 0 || child.signalCode !== null;
}

/** ATB_HUB_UNREACHABLE, with the hub's own error as the cause if its output shows one. */
export function createStartError(child: ChildProcess, hubLog: string, begin: number): AtlasBridgeError {
  const said = readOutput(hubLog, begin);
  const trouble = said === "" ? findWriteProblem(hubLog) : null;
  const why = said || trouble?.message || `it ended with ${child.signalCode ?? `code ${child.exitCode}`}`;
  return new AtlasBridgeError("ATB_HUB_UNREACHABLE", `the hub could not be started: ${why}`, {
    hint: trouble?.hint ?? `See ${hubLog}.`,
    cause: trouble ?? parseError(said),
  });
}

function parseError(words: string): AtlasBridgeError | undefined {
  const code = /\((ATB_[A-Z_]{1,40})\)/.exec(words)?.[1];
  return code !== undefined && code in ERROR_CODES
    ? new AtlasBridgeError(code as ErrorCode, words)
    : undefined;
}

/** With a full disk a hub cannot even write its error. */
function findWriteProblem(file: string): AtlasBridgeError | null {
  const probe = `${file}.probe`;
  try {
    writeFileSync(probe, "?\n", { mode: PRIVATE_FILE_MODE });
    return null;
  } catch (cause) {
    return createFileError(cause, file, "cannot be written");
  } finally {
    rmSync(probe, { force: true });
  }
}

/** The hub's output since `begin`, without structured log lines. */
function readOutput(hubLog: string, begin: number): string {
  let printed: string;
  try {
    printed = readFileSync(hubLog).subarray(begin).toString("utf8");
  } catch {
    return "";
  }
  return printed
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("{"))
    .slice(0, 2)
    .map((line) => line.replace(/^atlasbridge: /, "").trim())
    .join(" ");
}
