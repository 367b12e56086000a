/** What a service manager has to know of the hub, whichever manager it is. */
import { createHash } from "node:crypto";
import { isAbsolute, join } from "node:path";
import type { Paths } from "../config/paths.js";

export interface UserService {
  /** Of the service: each home has its own, as each home has its own hub. */
  readonly name: string;
  /** Program and arguments. */
  readonly command: readonly string[];
  /** What the hub must know of the environment in which it was installed. No secret is among it. */
  readonly environment: Readonly<Record<string, string>>;
  /** `NAME=value` lines that the manager adds to the environment, if the file is there: a place for tokens. */
  readonly environmentFile: string;
  /** Where words go that are not written to the log by the hub itself. */
  readonly log: string;
}

/** Where files lie is told by these; a service manager does not know those of a shell. */
const PLACES = ["XDG_CONFIG_HOME", "XDG_DATA_HOME"] as const;

export interface ServiceSurroundings {
  readonly paths: Paths;
  /** As in `ownCommand`. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function describeService({ paths, command, env }: ServiceSurroundings): UserService {
  const places = PLACES.flatMap((name) => {
    const value = env[name];
    return value && isAbsolute(value) ? [[name, value] as const] : [];
  });
  return {
    name: nameOf(paths.home),
    command,
    environment: paths.home === null ? Object.fromEntries(places) : { ATLASBRIDGE_HOME: paths.home },
    environmentFile: join(paths.configDir, "hub.env"),
    log: paths.hubLog,
  };
}

function nameOf(home: string | null): string {
  if (home === null) return "atlasbridge-hub";
  return `atlasbridge-hub-${createHash("sha256").update(home).digest("hex").slice(0, 8)}`;
}
