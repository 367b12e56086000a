/** What every service manager needs to know about the hub. */
import { createHash } from "node:crypto";
import { isAbsolute, join } from "node:path";
import type { Paths } from "../config/paths.js";

export interface UserService {
  /** The service's name: each home has its own hub and therefore its own service. */
  readonly name: string;
  /** Program and arguments. */
  readonly command: readonly string[];
  /** The environment variables from the installation that the hub needs. None is a secret. */
  readonly environment: Readonly<Record<string, string>>;
  /** A file of `NAME=value` lines that the manager adds to the environment if it exists: a place for tokens. */
  readonly environmentFile: string;
  /** Where output goes that the hub does not write to the log itself. */
  readonly log: string;
}

/** Variables that determine file locations; a service manager does not know the shell's. */
const PLACES = ["XDG_CONFIG_HOME", "XDG_DATA_HOME"] as const;

export interface ServiceSurroundings {
  readonly paths: Paths;
  /** As in `buildOwnCommand`. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function describeService({ paths, command, env }: ServiceSurroundings): UserService {
  const places = PLACES.flatMap((name) => {
    const value = env[name];
    return value && isAbsolute(value) ? [[name, value] as const] : [];
  });
  return {
    name: nameService(paths.home),
    command,
    environment: paths.home === null ? Object.fromEntries(places) : { ATLASBRIDGE_HOME: paths.home },
    environmentFile: join(paths.configDir, "hub.env"),
    log: paths.hubLog,
  };
}

function nameService(home: string | null): string {
  if (home === null) return "atlasbridge-hub";
  return `atlasbridge-hub-${createHash("sha256").update(home).digest("hex").slice(0, 8)}`;
}
