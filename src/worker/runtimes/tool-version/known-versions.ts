/** Remembers the versions of tools, so that a run need not wait for `--version` each time. A changed file is asked again. */
import { readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, join, sep } from "node:path";
import type { Paths } from "../../../config/paths.js";
import { ensurePrivateDirectory, PRIVATE_FILE_MODE } from "../../../config/private-files.js";
import type { Environment } from "../../process/child-environment.js";
import { firstBytes } from "../../process/executable.js";
import { versionEnvironment, readVersion, type VersionLimits } from "./tool-version.js";

/** A person has few tools; more means that something makes up files. */
const KNOWN_MAX = 100;

interface Known {
  /** Changes with every update. */
  readonly mark: string;
  readonly version: string | null;
}

/**
 * The version of the tool in this file; null when it does not say, not in time, or when the signal ended the asking. What it did not
 * say in time is asked again the next time. Never rejects.
 */
export async function knownVersion(
  file: string,
  environment: Environment,
  paths: Paths,
  limits: VersionLimits = {},
): Promise<string | null> {
  try {
    const real = realpathSync(file);
    const mark = fileStamp(real);
    const known = readKnown(paths)[real];
    const isOwn = isToolItself(real, basename(file));
    if (isOwn && known?.mark === mark) return known.version;
    const { version, isFinal } = await readVersion(file, versionEnvironment(environment), limits);
    if (isOwn && isFinal) remember(paths, { ...readKnown(paths), [real]: { mark, version } });
    return version;
  } catch {
    return null; // Gone, or not to be kept: then it is asked again the next time.
  }
}

/** The same as it was told before; null where the tool would have to be started for it. */
export function rememberedVersion(file: string, paths: Paths): string | null {
  try {
    const real = realpathSync(file);
    const known = readKnown(paths)[real];
    return isToolItself(real, basename(file)) && known?.mark === fileStamp(real) ? known.version : null;
  } catch {
    return null;
  }
}

/** An installation may give its files any time of change, but not of the change of their names and marks. */
function fileStamp(file: string): string {
  const { mtimeMs, ctimeMs, size } = statSync(file);
  return `${mtimeMs} ${ctimeMs} ${size}`;
}

const SHELL_SCRIPT = /^#![^\n]{0,200}[/ ](?:ba|da|z|k|fi)?sh\b/;

/**
 * False where the tool can change while this file stays: a shell script starts another one, and so does a program that has many names
 * (of a version manager, say).
 */
function isToolItself(real: string, name: string): boolean {
  return real.split(sep).some((part) => part.includes(name)) && !SHELL_SCRIPT.test(firstBytes(real));
}

function fileOf({ dataDir }: Paths): string {
  return join(dataDir, "tool-versions.json");
}

function readKnown(paths: Paths): Readonly<Record<string, Known | undefined>> {
  try {
    return JSON.parse(readFileSync(fileOf(paths), "utf8")) as Record<string, Known | undefined>;
  } catch {
    return {};
  }
}

function remember(paths: Paths, known: Readonly<Record<string, Known | undefined>>): void {
  ensurePrivateDirectory(paths.dataDir);
  const draft = `${fileOf(paths)}.${process.pid}`;
  const latest = Object.fromEntries(Object.entries(known).slice(-KNOWN_MAX));
  writeFileSync(draft, JSON.stringify(latest), { mode: PRIVATE_FILE_MODE });
  renameSync(draft, fileOf(paths));
}
