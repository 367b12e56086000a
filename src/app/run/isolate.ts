/** What `run --isolate` closes to its tool, and the consequences (ADR 30). */
import { accessSync, constants, existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadConfig } from "../../config/load.js";
import type { Paths } from "../../config/paths.js";
import { ensurePrivateDirectory } from "../../config/private-files.js";
import { listSecretFiles } from "../../config/secrets.js";
import { AtlasBridgeError } from "../../model/errors.js";
import type { Isolation } from "../../worker/process/isolation.js";
import { listOwnPlaces } from "../../worker/process/own-places.js";
import {
  findFrozenDirectories,
  readLandlockAbi,
  OLDEST_ABI,
  SIGNALS_ABI,
} from "../../worker/process/landlock.js";
import { channelSchemas } from "../../plugins/channels/channel-schemas.js";
import { findBuiltProgram } from "../../observe/package-root.js";

const DEVICES = "/dev";

export interface IsolatedRun {
  readonly isolation: Isolation;
  readonly note: string;
}

/**
 * `cwd` is null for a folder that cannot be reached by its name. Errors: ATB_ISOLATION_UNAVAILABLE; those of `loadConfig` and
 * `ensurePrivateDirectory`.
 */
export function isolateRun(paths: Paths, cwd: string | null): IsolatedRun {
  const abi = readLandlockAbi();
  if (abi < OLDEST_ABI) throw createUnsupportedError(abi);
  // A missing directory cannot be closed.
  const { configDir, dataDir } = paths;
  for (const directory of [configDir, dataDir]) ensurePrivateDirectory(directory);
  const closed = [
    ...new Set([
      ...listOwnPlaces([configDir, dataDir]),
      ...listConfigSecretFiles(paths),
      ...listDisks(process.getuid?.()),
    ]),
  ];
  refuseInside(cwd, closed);
  const launcher = findBuiltProgram("isolated-start.js");
  const frozen = findFrozenDirectories(closed, mayWrite);
  return {
    isolation: { closed, readable: [], launcher },
    note: describeIsolation(frozen, abi),
  };
}

/** Lets the tool read the files of its own run, which may be in closed folders. `folder` holds those of its console, or null. */
export function allowRunFiles(isolation: Isolation, paths: Paths, folder: string | null): Isolation {
  const directory = dirname(paths.socket);
  const names = existsSync(directory) ? readdirSync(directory) : [];
  const own = names.filter((name) => name.startsWith(`run-${process.pid}-`));
  const files = own.map((name) => join(directory, name));
  if (existsSync(paths.pluginsDir)) files.push(paths.pluginsDir);
  return { ...isolation, readable: folder === null ? files : [...files, folder] };
}

/** A configuration that cannot be parsed names no secrets, so it is unknown what to close: its error is thrown. */
function listConfigSecretFiles({ config: file }: Paths): string[] {
  const config = loadConfig({ file, channels: channelSchemas, env: process.env, secrets: "leave" });
  return listSecretFiles(config.channels, file);
}

/** Root could read the ledger from the disk device or from memory. */
function listDisks(uid: number | undefined): string[] {
  if (uid !== 0) return [];
  const raw = new Set(["mem", "kmem", "port"]);
  const devices = readdirSync(DEVICES, { withFileTypes: true });
  return devices.flatMap((entry) =>
    entry.isBlockDevice() || raw.has(entry.name) ? [join(DEVICES, entry.name)] : [],
  );
}

function refuseInside(cwd: string | null, closed: readonly string[]): void {
  const place = cwd === null ? null : realpathSync(cwd);
  if (place === null)
    throw createUnavailableError(
      "the working directory cannot be reached by its name, so --isolate cannot check it",
      "Start the tool in another folder.",
    );
  const around = closed.find((path) => existsSync(path) && `${place}/`.startsWith(`${realpathSync(path)}/`));
  if (around === undefined) return;
  const problem = `the tool would start in ${place}, which --isolate closes`;
  throw createUnavailableError(problem, "Start it in another folder.");
}

function mayWrite(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function describeIsolation(frozen: readonly string[], abi: number): string {
  const names = frozen.length === 0 ? "" : `; it cannot create files directly in ${frozen.join(", ")}`;
  const signals = abi < SIGNALS_ABI ? "; signals to the hub are not blocked (requires Linux 6.12)" : "";
  return `atlasbridge: isolated: the ledger, the configuration and the keys are closed to the tool${names}${signals}`;
}

function createUnsupportedError(abi: number): AtlasBridgeError {
  const found =
    abi === 0 ? "has no Landlock, or it is disabled or unavailable" : `has version ${abi} of Landlock`;
  return createUnavailableError(
    `--isolate is not available: this system ${found}`,
    `It requires Linux 6.2 or newer with Landlock (version ${OLDEST_ABI}) enabled in \`lsm=\`. Without --isolate the tool starts as usual.`,
  );
}

function createUnavailableError(problem: string, hint: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_ISOLATION_UNAVAILABLE", problem, { hint });
}
