/** The hub's service file for systemd and for launchd: its text, its place, and the commands that control the service. */
import { createHash } from "node:crypto";
import { isAbsolute, join } from "node:path";
import { findOwnHome, getOwnUid } from "../config/own-user.js";
import type { Paths } from "../config/paths.js";
import { EXIT, createUsageError } from "../model/errors.js";

export interface UserService {
  /** Each home has its own hub and its own service. */
  readonly name: string;
  readonly command: readonly string[];
  /** Variables that the hub needs; none is a secret. */
  readonly environment: Readonly<Record<string, string>>;
  /** Optional lines of `NAME=value` for systemd: a place for tokens. */
  readonly environmentFile: string;
  /** For output that is not in the log. */
  readonly log: string;
}

export interface ServiceFile {
  readonly path: string;
  /** Our mark follows these lines as a comment. */
  readonly head: string;
  readonly body: string;
  readonly comment: (text: string) => string;
  readonly enable: readonly string[];
  readonly end: readonly string[];
  /** The manager's own link, which dangles without the file; or null. */
  readonly link: string | null;
  /** How the hub gets secrets from variables, which a service does not inherit. */
  readonly secretsAdvice: string;
}

/** A service manager does not know the shell's values. */
const PLACES = ["XDG_CONFIG_HOME", "XDG_DATA_HOME"] as const;

export function describeService(
  paths: Paths,
  command: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): UserService {
  const { home } = paths;
  const places = PLACES.flatMap((name) => {
    const value = env[name];
    return value && isAbsolute(value) ? [[name, value] as const] : [];
  });
  const suffix = home === null ? "" : `-${createHash("sha256").update(home).digest("hex").slice(0, 8)}`;
  return {
    name: `atlasbridge-hub${suffix}`,
    command,
    environment: home === null ? Object.fromEntries(places) : { ATLASBRIDGE_HOME: home },
    environmentFile: join(paths.configDir, "hub.env"),
    log: paths.hubLog,
  };
}

/** Errors: ATB_USAGE. */
export function buildServiceFile(service: UserService, platform: NodeJS.Platform): ServiceFile {
  if (platform === "linux") return buildForSystemd(service);
  if (platform === "darwin") return buildForLaunchd(service);
  throw createUsageError(
    `hub install does not support ${platform}`,
    "Have your service manager run `atlasbridge hub start --foreground --service`.",
  );
}

function buildForSystemd(service: UserService): ServiceFile {
  const { XDG_CONFIG_HOME: set } = process.env;
  const folder = join(set?.startsWith("/") ? set : join(requireHome(), ".config"), "systemd/user");
  const unit = `${service.name}.service`;
  return {
    path: join(folder, unit),
    head: "",
    body: buildSystemdUnit(service),
    comment: (text) => `# ${text}`,
    enable: [
      "systemctl --user daemon-reload",
      `systemctl --user enable --now ${unit}`,
      "loginctl enable-linger   # only if it should run while you are logged out",
    ],
    end: [`systemctl --user stop ${unit}`, "systemctl --user daemon-reload"],
    link: join(folder, "default.target.wants", unit),
    secretsAdvice: `write them into ${service.environmentFile} (one NAME=value per line, mode 0600), or use a file in the configuration (file:PATH)`,
  };
}

function buildForLaunchd(service: UserService): ServiceFile {
  // launchd labels look like domains.
  const label = service.name.replace("-", ".");
  const path = join(requireHome(), "Library/LaunchAgents", `${label}.plist`);
  const quoted = /^[\w./+:@%-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
  return {
    path,
    head: PLIST_HEAD,
    body: buildLaunchdPlist({ ...service, name: label }),
    comment: (text) => `<!-- ${text} -->`,
    enable: [`launchctl bootstrap gui/${getOwnUid()} ${quoted}`],
    end: [`launchctl bootout gui/${getOwnUid()}/${label}`],
    link: null,
    secretsAdvice: "use a file in the configuration instead (file:PATH)",
  };
}

function requireHome(): string {
  const home = findOwnHome();
  if (home !== null) return home;
  throw createUsageError(
    "a user without a home directory cannot have services",
    "Set HOME, or run `atlasbridge hub start --foreground --service` directly.",
  );
}

/** Restarting does not help here. */
const NO_RESTART = [EXIT.config, EXIT.permission, EXIT.security, EXIT.damaged];

/**
 * A final exit has code 0. A crash or a newer program restarts the hub; after ten failures in five minutes it waits for a person. Stopping
 * takes up to 20 seconds: ten for answers, five for channels. Errors: ATB_USAGE.
 */
export function buildSystemdUnit({ command, environment, environmentFile }: UserService): string {
  const [program = "", ...args] = command;
  // systemd allows no quotes or backslashes in a program's path, and no variables.
  if (/["'\\\p{Cc}]/u.test(program))
    throw createUsageError(
      `systemd cannot start ${JSON.stringify(program)}`,
      "Install Node in a path without quotes, backslashes and control characters.",
    );
  if (/\p{Cc}/u.test(environmentFile))
    throw createUsageError(
      `systemd cannot read ${JSON.stringify(environmentFile)}`,
      "Set ATLASBRIDGE_HOME to a path without control characters.",
    );
  // In arguments `$` starts a variable.
  const words = [quoteWord(program), ...args.map((text) => quoteWord(text).replaceAll("$", "$$$$"))];
  const variables = Object.entries(environment).map(
    ([name, value]) => `Environment=${quote(`${name}=${value}`)}\n`,
  );
  return `[Unit]
Description=AtlasBridge hub: relays the prompts of AI CLIs
StartLimitIntervalSec=300
StartLimitBurst=10

[Service]
ExecStart=${words.join(" ")}
${variables.join("")}EnvironmentFile=-${environmentFile.replaceAll("%", "%%")}
Restart=on-failure
RestartSec=5
RestartPreventExitStatus=${NO_RESTART.join(" ")}
TimeoutStopSec=20
UMask=0077
NoNewPrivileges=yes

[Install]
WantedBy=default.target
`;
}

function quoteWord(text: string): string {
  return /^[\w./+:@-]+$/.test(text) ? text : quote(text);
}

/** `%` starts a specifier, even between quotes. */
function quote(text: string): string {
  const escaped = text
    .replace(/["\\]/g, "\\$&")
    .replace(/\p{Cc}/gu, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`)
    .replaceAll("%", "%%");
  return `"${escaped}"`;
}

/** The head of every plist; comments may only follow it. */
export const PLIST_HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
`;

/** Launchd has no exceptions for exit codes: it tries again every 30 seconds. Errors: ATB_USAGE. */
export function buildLaunchdPlist({ name, command, environment, log }: UserService): string {
  const words = command.map((text) => `    <string>${escapeXml(text)}</string>\n`);
  const variables = Object.entries(environment).map(
    ([key, value]) => `    <key>${escapeXml(key)}</key>\n    <string>${escapeXml(value)}</string>\n`,
  );
  // 63 is the umask 077.
  return `<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${escapeXml(name)}</string>
  <key>ProgramArguments</key>
  <array>
${words.join("")}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join("")}  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>30</integer>
  <key>ExitTimeOut</key>
  <integer>20</integer>
  <key>ProcessType</key>
  <string>Background</string>
  <key>Umask</key>
  <integer>63</integer>
  <key>StandardOutPath</key>
  <string>${escapeXml(log)}</string>
  <key>StandardErrorPath</key>
  <string>${escapeXml(log)}</string>
</dict>
</plist>
`;
}

/** XML 1.0 has no escapes for most control characters. */
function escapeXml(text: string): string {
  if (/[^\P{Cc}\t\n]/u.test(text))
    throw createUsageError(
      `launchd cannot represent ${JSON.stringify(text)}`,
      "Choose a path without control characters.",
    );
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
