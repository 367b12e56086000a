/** The supported service managers: format and location of their files, and the commands to control them. */
import { join } from "node:path";
import { findOwnHome, getOwnUid } from "../config/own-user.js";
import { AtlasBridgeError } from "../model/errors.js";
import { buildLaunchdPlist, PLIST_HEAD } from "./launchd-plist.js";
import type { UserService } from "./service.js";
import { buildSystemdUnit } from "./systemd-unit.js";
import type { FileStyle } from "./written-file.js";

export interface ServiceManager {
  readonly style: FileStyle;
  path(service: UserService): string;
  body(service: UserService): string;
  /** Commands that enable the written file. */
  enable(service: UserService, path: string): readonly string[];
  /** Commands that stop the service after its file was removed. */
  end(service: UserService): readonly string[];
  /** Links with which the manager remembers to start the service; dangling without the file. */
  links(service: UserService): readonly string[];
  /** How the hub gets values that the configuration takes from the environment, because a service has no shell variables. */
  secretsAdvice(service: UserService): string;
}

const systemd: ServiceManager = {
  style: { head: "", comment: (text) => `# ${text}` },
  path: ({ name }) => join(getUnitFolder(), `${name}.service`),
  body: buildSystemdUnit,
  enable: ({ name }) => [
    "systemctl --user daemon-reload",
    `systemctl --user enable --now ${name}.service`,
    "loginctl enable-linger   # only if it should run while you are logged out",
  ],
  end: ({ name }) => [`systemctl --user stop ${name}.service`, "systemctl --user daemon-reload"],
  links: ({ name }) => [join(getUnitFolder(), "default.target.wants", `${name}.service`)],
  secretsAdvice: ({ environmentFile }) =>
    `write them into ${environmentFile} (one NAME=value per line, mode 0600), or use a file in the configuration (file:PATH)`,
};

const launchd: ServiceManager = {
  style: { head: PLIST_HEAD, comment: (text) => `<!-- ${text} -->` },
  path: ({ name }) => join(requireHome(), "Library/LaunchAgents", `${toLabel(name)}.plist`),
  body: (service) => buildLaunchdPlist({ ...service, name: toLabel(service.name) }),
  enable: (_, path) => [`launchctl bootstrap gui/${getOwnUid()} ${quoteForShell(path)}`],
  end: ({ name }) => [`launchctl bootout gui/${getOwnUid()}/${toLabel(name)}`],
  links: () => [],
  secretsAdvice: () => "use a file in the configuration instead (file:PATH)",
};

const MANAGERS: Readonly<Partial<Record<NodeJS.Platform, ServiceManager>>> = {
  linux: systemd,
  darwin: launchd,
};

/** Errors: ATB_USAGE. */
export function findManager(platform: NodeJS.Platform): ServiceManager {
  const manager = MANAGERS[platform];
  if (manager) return manager;
  throw new AtlasBridgeError("ATB_USAGE", `hub install does not support ${platform}`, {
    hint: "Have your service manager run `atlasbridge hub start --foreground --service`.",
  });
}

/** launchd labels look like domains. */
function toLabel(name: string): string {
  return name.replace("-", ".");
}

function getUnitFolder(): string {
  const { XDG_CONFIG_HOME: set } = process.env;
  return join(set?.startsWith("/") ? set : join(requireHome(), ".config"), "systemd/user");
}

function requireHome(): string {
  const home = findOwnHome();
  if (home !== null) return home;
  throw new AtlasBridgeError("ATB_USAGE", "a user without a home directory cannot have services", {
    hint: "Set HOME, or run `atlasbridge hub start --foreground --service` directly.",
  });
}

function quoteForShell(text: string): string {
  return /^[\w./+:@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
