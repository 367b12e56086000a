/** What decisions by rules depend on outside the prompt: the home directory, symbolic links, and our own files. */
import { readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, sep } from "node:path";
import { findOwnHome } from "../config/own-user.js";
import type { Paths } from "../config/paths.js";
import { locateKeptSeals } from "../hub/store/audit-files.js";
import type { PolicyWorld } from "../hub/policy/subject.js";

export function createPolicyWorld(paths: Paths): PolicyWorld {
  const own = listOwnPaths(paths);
  const resolved = own.map((path) => resolveLinks(path));
  return { home: findOwnHome() ?? "/", resolveLinks, ownPaths: [...new Set([...own, ...resolved])] };
}

const OWN_FILES = [
  ...(["config", "policy", "database", "hubLock", "auditKey", "hubAddress", "hubSecret"] as const),
  ...(["hubStarting", "hubStopped", "hubReach", "socket"] as const),
  ...(["adaptersDir", "scenariosDir", "capturedScenariosDir", "consolesDir", "logsDir"] as const),
];

function listOwnPaths(paths: Paths): readonly string[] {
  const { database, hubLock, home, configDir, dataDir } = paths;
  const beside = [database, hubLock].flatMap((file) => [`${file}-wal`, `${file}-shm`, `${file}-journal`]);
  const kept = [locateKeptSeals(database), join(dataDir, "hub.told")];
  // With one directory for everything, others may work inside of it: then its files are named.
  const whole = home === null ? [configDir, dataDir] : [];
  return [...OWN_FILES.map((name) => paths[name]), ...beside, ...kept, ...whole];
}

/** Links to links to links; more is a trick. */
const LINKS_MAX = 40;

/** Where a path really lies, name by name as the system follows it. What does not exist yet lies where its directory does. */
export function resolveLinks(path: string): string {
  try {
    // The system's own way: it also knows how names are written where case does not count.
    return realpathSync.native(path);
  } catch {
    return followLinks(path);
  }
}

function followLinks(path: string): string {
  const left = path.split(sep).reverse();
  let reached: string = sep;
  let links = 0;
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (name === "" || name === ".") continue;
    const next = name === ".." ? dirname(reached) : join(reached, name);
    const target = name === ".." ? null : readLink(next);
    if (target === null || links === LINKS_MAX) {
      reached = next;
      continue;
    }
    links += 1;
    if (isAbsolute(target)) reached = sep;
    left.push(...target.split(sep).reverse());
  }
  return reached;
}

function readLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
