/** The hub's service file for systemd and for launchd: its text, its place, and the commands that control the service. */
import { createHash } from "node:crypto";
import { isAbsolute, join } from "node:path";
import { findOwnHome, getOwnUid } from "../config/own-user.js";
import type { Paths } from "../config/paths.js";
import { EXIT, createUsageError } from "../model/errors.js";

export interface UserService {
  /** The service's name: each home has its own hub and therefore its own service. */
  readonly name: string;
  /** Program and arguments. */
  readonly command: readonly string[];
  /** The environment variables from the installation that the hub needs. None is a secret. */
  readonly environment: Readonly<Record<string, string>>;
  /** A file of `NAME=value` lines that systemd adds to the environment if it exists: a place for tokens. */
  readonly environmentFile: string;
  /** Where output goes that the hub does not write to the log itself. */
  readonly log: string;
}

export interface ServiceFile {
  readonly path: string;
  /** Lines that must come first; our mark follows them as a comment. */
  readonly head: string;
  readonly body: string;
  readonly comment: (text: string) => string;
  /** Commands that enable the written file. */
  readonly enable: readonly string[];
  /** Commands that stop the service after its file was removed. */
  readonly end: readonly string[];
  /** A link with which the manager remembers to start the service; dangling without the file. */
  readonly link: string | null;
  /** How the hub gets values that the configuration takes from the environment, because a service has no shell variables. */
  readonly secretsAdvice: string;
}

/** Variables that determine file locations; a service manager does not know the shell's. */
const PLACES = ["XDG_CONFIG_HOME", "XDG_DATA_HOME"] as const;

/** `command`: as in `buildOwnCommand`. */
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

/** Problems that only a person can fix: restarting would not help. */
const NO_RESTART = [EXIT.config, EXIT.permission, EXIT.security, EXIT.damaged];

/**
 * `hub stop`, a stop by the manager and another running hub exit with 0 and are final; a crash, and yielding to a newer program, restart
 * the hub. A hub that fails ten times within five minutes waits for a person, and sessions start one themselves. It may take 20 seconds
 * to stop: it finishes answers within ten seconds and stops its channels within five. Errors: ATB_USAGE.
 */
export function buildSystemdUnit({ command, environment, environmentFile }: UserService): string {
  const [program = "", ...args] = command;
  // systemd accepts no quotes or backslashes in a program's path, and expands no variables there.
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

/** As the systemd unit, but launchd cannot except exit codes: it tries again every 30 seconds. Errors: ATB_USAGE. */
export function buildLaunchdPlist({ name, command, environment, log }: UserService): string {
  const words = command.map((text) => `    <string>${escapeXml(text)}</string>\n`);
  const variables = Object.entries(environment).map(
    ([key, value]) => `    <key>${escapeXml(key)}</key>\n    <string>${escapeXml(value)}</string>\n`,
  );
  // A plist writes the umask 077 in decimal.
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

/** XML 1.0 cannot express most control characters, and reads a carriage return as a line feed. */
function escapeXml(text: string): string {
  if (/[^\P{Cc}\t\n]/u.test(text))
    throw createUsageError(
      `launchd cannot represent ${JSON.stringify(text)}`,
      "Choose a path without control characters.",
    );
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
