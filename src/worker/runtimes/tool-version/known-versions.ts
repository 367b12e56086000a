/** Remembers the versions of tools, so that a session need not wait for `--version` each time. A changed file is asked again. */
import { readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, join, sep } from "node:path";
import type { Paths } from "../../../config/paths.js";
import { ensurePrivateDirectory, PRIVATE_FILE_MODE } from "../../../config/private-files.js";
import type { Environment } from "../../process/child-environment.js";
import { readFirstBytes } from "../../process/executable.js";
import { createVersionEnvironment, readVersion, type VersionLimits } from "./tool-version.js";

/** A person has few tools; more means that something generates files. */
const KNOWN_MAX = 100;

interface KnownVersion {
  /** Changes with every update. */
  readonly mark: string;
  readonly version: string | null;
}

/**
 * Reads the version of the tool in this file; null when the tool does not report it, not in time, or when the signal ended the
 * query. A version that did not come in time is asked for again the next time. Never rejects.
 */
export async function readKnownVersion(
  file: string,
  environment: Environment,
  paths: Paths,
  limits: VersionLimits = {},
): Promise<string | null> {
  try {
    const real = realpathSync(file);
    const mark = readFileStamp(real);
    const known = readKnownVersions(paths)[real];
    const isOwn = isToolItself(real, basename(file));
    if (isOwn && known?.mark === mark) return known.version;
    const { version, isFinal } = await readVersion(file, createVersionEnvironment(environment), limits);
    if (isOwn && isFinal) remember(paths, { ...readKnownVersions(paths), [real]: { mark, version } });
    return version;
  } catch {
    return null; // The file is gone, or the version could not be kept: then it is asked again the next time.
  }
}

/** Finds the version that was read before; null where the tool would have to be started for it. */
export function findRememberedVersion(file: string, paths: Paths): string | null {
  try {
    const real = realpathSync(file);
    const known = readKnownVersions(paths)[real];
    return isToolItself(real, basename(file)) && known?.mark === readFileStamp(real) ? known.version : null;
  } catch {
    return null;
  }
}

/** An installer may set the modification time of its files, but not the time of the change of their names and attributes. */
function readFileStamp(file: string): string {
  const { mtimeMs, ctimeMs, size } = statSync(file);
  return `${mtimeMs} ${ctimeMs} ${size}`;
}

const SHELL_SCRIPT = /^#![^\n]{0,200}[/ ](?:ba|da|z|k|fi)?sh\b/;

/**
 * False where the tool can change while this file stays: a shell script starts another one, and so does a program that has many names
 * (of a version manager, say).
 */
function isToolItself(real: string, name: string): boolean {
  return real.split(sep).some((part) => part.includes(name)) && !SHELL_SCRIPT.test(readFirstBytes(real));
}

function getFilePath({ dataDir }: Paths): string {
  return join(dataDir, "tool-versions.json");
}

function readKnownVersions(paths: Paths): Readonly<Record<string, KnownVersion | undefined>> {
  try {
    return JSON.parse(readFileSync(getFilePath(paths), "utf8")) as Record<string, KnownVersion | undefined>;
  } catch {
    return {};
  }
}

function remember(paths: Paths, known: Readonly<Record<string, KnownVersion | undefined>>): void {
  ensurePrivateDirectory(paths.dataDir);
  const draft = `${getFilePath(paths)}.${process.pid}`;
  const latest = Object.fromEntries(Object.entries(known).slice(-KNOWN_MAX));
  writeFileSync(draft, JSON.stringify(latest), { mode: PRIVATE_FILE_MODE });
  renameSync(draft, getFilePath(paths));
}
