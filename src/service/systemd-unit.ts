/** Writes the hub as a systemd user unit (systemd.service(5), systemd.syntax(7)). Pure. */
import { AtlasBridgeError, EXIT } from "../model/errors.js";
import type { UserService } from "./service.js";

/** Long enough that a briefly full disk has space again, short enough that the hub is not missed. */
const RESTART_AFTER_S = 5;
/** A hub that fails this often within this time waits for a person; sessions then start one themselves. */
const RESTARTS_MAX = 10;
const RESTARTS_WITHIN_S = 300;
/** The hub finishes answers within ten seconds and stops its channels within five. */
const STOP_WITHIN_S = 20;
/** Problems that only a person can fix: restarting would not help. */
const NO_RESTART = [EXIT.config, EXIT.permission, EXIT.security, EXIT.damaged];

/**
 * Restart policy: `hub stop`, a stop by the manager and another running hub exit with 0 and are final; yielding to a newer
 * program and crashes restart it. A service never exits because it is idle. Errors: ATB_USAGE.
 */
export function buildSystemdUnit({ command, environment, environmentFile }: UserService): string {
  const [program = "", ...args] = command;
  return [
    "[Unit]",
    "Description=AtlasBridge hub: relays the prompts of AI CLIs",
    `StartLimitIntervalSec=${RESTARTS_WITHIN_S}`,
    `StartLimitBurst=${RESTARTS_MAX}`,
    "",
    "[Service]",
    `ExecStart=${[quoteExecutable(program), ...args.map(quoteArgument)].join(" ")}`,
    ...Object.entries(environment).map(([name, value]) => `Environment=${quote(`${name}=${value}`)}`),
    `EnvironmentFile=-${formatRestOfLine(environmentFile)}`,
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

/** systemd accepts no quotes or backslashes in a program's path, and expands no variables there. */
function quoteExecutable(path: string): string {
  if (/["'\\\p{Cc}]/u.test(path))
    throw new AtlasBridgeError("ATB_USAGE", `systemd cannot start ${JSON.stringify(path)}`, {
      hint: "Install Node in a path without quotes, backslashes and control characters.",
    });
  return word(path);
}

/** In arguments `$` starts a variable. */
function quoteArgument(text: string): string {
  return word(text).replaceAll("$", "$$$$");
}

function word(text: string): string {
  return /^[\w./+:@-]+$/.test(text) ? text : quote(text);
}

/** Kept literal: `%` starts a specifier, even between quotes. */
function quote(text: string): string {
  const escaped = text
    .replace(/["\\]/g, "\\$&")
    .replace(/\p{Cc}/gu, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`)
    .replaceAll("%", "%%");
  return `"${escaped}"`;
}

/** A setting whose value is the rest of the line, where quotes are literal. */
function formatRestOfLine(path: string): string {
  if (/\p{Cc}/u.test(path))
    throw new AtlasBridgeError("ATB_USAGE", `systemd cannot read ${JSON.stringify(path)}`, {
      hint: "Set ATLASBRIDGE_HOME to a path without control characters.",
    });
  return path.replaceAll("%", "%%");
}
