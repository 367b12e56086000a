/** The hub as a unit of systemd's user manager (systemd.service(5), systemd.syntax(7)). Pure. */
import { AtlasBridgeError, EXIT } from "../model/errors.js";
import type { UserService } from "./service.js";

/** Long enough that a disk that is full for a moment has room again, short enough not to be missed. */
const RESTART_AFTER_S = 5;
/** A hub that fails this often in this time is left to a person; sessions then start one of their own. */
const RESTARTS_MAX = 10;
const RESTARTS_WITHIN_S = 300;
/** The hub finishes answers for ten seconds at most, and ends its channels within five. */
const STOP_WITHIN_S = 20;
/** Trouble that only a person can mend: starting again would find it again. */
const NO_RESTART = [EXIT.config, EXIT.permission, EXIT.security, EXIT.damaged];

/**
 * Restart policy: `hub stop`, a stop by the manager and another hub in its place end with 0 and are final; making way for a newer
 * program and a crash are not. A service never ends because it is idle. Errors: ATB_USAGE.
 */
export function systemdUnit({ command, environment, environmentFile }: UserService): string {
  const [program = "", ...args] = command;
  return [
    "[Unit]",
    "Description=AtlasBridge hub: relays the questions of AI CLIs",
    `StartLimitIntervalSec=${RESTARTS_WITHIN_S}`,
    `StartLimitBurst=${RESTARTS_MAX}`,
    "",
    "[Service]",
    `ExecStart=${[executable(program), ...args.map(argument)].join(" ")}`,
    ...Object.entries(environment).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    `EnvironmentFile=-${lineOf(environmentFile)}`,
    "Restart=on-failure",
    `RestartSec=${RESTART_AFTER_S}`,
    `RestartPreventExitStatus=${NO_RESTART.join(" ")}`,
    `TimeoutStopSec=${STOP_WITHIN_S}`,
    "UMask=0077",
    "NoNewPrivileges=yes",
    "",
    "[Install]",
    "WantedBy=default.target",
    "",
  ].join("\n");
}

/** systemd takes no quotes and backslashes in a program's path, and does not look for variables there. */
function executable(path: string): string {
  if (/["'\\\p{Cc}]/u.test(path))
    throw new AtlasBridgeError("ATB_USAGE", `systemd cannot start ${JSON.stringify(path)}`, {
      hint: "Install Node in a place without quotes, backslashes and control characters in its path.",
    });
  return word(path);
}

/** In arguments `$` begins a variable. */
function argument(text: string): string {
  return word(text).replaceAll("$", "$$$$");
}

function word(text: string): string {
  return /^[\w./+:@-]+$/.test(text) ? text : quoted(text);
}

/** As it is: `%` begins a specifier, even between quotes. */
function quoted(text: string): string {
  const escaped = text
    .replace(/["\\]/g, "\\$&")
    .replace(/\p{Cc}/gu, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`)
    .replaceAll("%", "%%");
  return `"${escaped}"`;
}

/** A setting that takes the rest of its line, where quotes mean themselves. */
function lineOf(path: string): string {
  if (/\p{Cc}/u.test(path))
    throw new AtlasBridgeError("ATB_USAGE", `systemd cannot read ${JSON.stringify(path)}`, {
      hint: "Set ATLASBRIDGE_HOME to a place without control characters in its path.",
    });
  return path.replaceAll("%", "%%");
}
