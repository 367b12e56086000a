/** Versions of tools as they were last asked: a run must not wait for `--version` each time. Forgotten when the file changes. */
import { readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Paths } from "../config/paths.js";
import { ensurePrivateDirectory } from "../config/private-files.js";
import type { Environment } from "../worker/transport/child-environment.js";
import { askingEnvironment, versionOfFile } from "./tool-version.js";

/** The tool's start may wait for it, once for each version. A tool that does not answer in time is asked again when it changes. */
const ANSWER_LIMIT_MS = 3000;
/** A person has few tools; more means that something makes up files. */
const KNOWN_MAX = 100;

interface Known {
  /** Changes with every update. */
  readonly mark: string;
  readonly version: string | null;
}

/** The version of the tool in this file; null when it does not say, or when `signal` ended the asking. Never rejects. */
export async function knownVersion(
  file: string,
  environment: Environment,
  paths: Paths,
  signal?: AbortSignal,
): Promise<string | null> {
  try {
    const real = realpathSync(file);
    const { mtimeMs, size } = statSync(real);
    const mark = `${mtimeMs} ${size}`;
    const all = readKnown(paths);
    const known = all[real];
    if (known?.mark === mark) return known.version;
    const limits = { limitMs: ANSWER_LIMIT_MS, signal };
    const version = await versionOfFile(real, askingEnvironment(environment), limits);
    if (signal?.aborted) return null;
    remember(paths, { ...all, [real]: { mark, version } });
    return version;
  } catch {
    return null; // Gone, or not to be kept: then it is asked again the next time.
  }
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
  writeFileSync(draft, JSON.stringify(latest), { mode: 0o600 });
  renameSync(draft, fileOf(paths));
}
