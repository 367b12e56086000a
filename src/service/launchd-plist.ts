/** Writes the hub as a launchd agent (launchd.plist(5)). Pure. */
import { AtlasBridgeError } from "../model/errors.js";
import type { UserService } from "./service.js";

/** Minimum time between two starts: a mistake in the configuration must not keep a core busy. */
const THROTTLE_S = 30;
/** The hub finishes answers within ten seconds and stops its channels within five. */
const EXIT_WITHIN_S = 20;
/** Octal 077 in decimal, the only notation of a plist. */
const UMASK = 0o077;

/**
 * `SuccessfulExit: false`: `hub stop` and another running hub exit with 0 and are final; yielding to a newer program and
 * crashes restart it. A service never exits because it is idle. Errors: ATB_USAGE.
 */
export function buildLaunchdPlist({ name, command, environment, log }: UserService): string {
  return [
    '<plist version="1.0">',
    "<dict>",
    ...renderEntry("Label", renderString(name)),
    ...renderEntry("ProgramArguments", ["<array>", ...command.flatMap(renderString).map(indent), "</array>"]),
    ...renderEntry("EnvironmentVariables", [
      "<dict>",
      ...Object.entries(environment).flatMap(([key, value]) => renderEntry(key, renderString(value))),
      "</dict>",
    ]),
    ...renderEntry("RunAtLoad", ["<true/>"]),
    ...renderEntry("KeepAlive", ["<dict>", ...renderEntry("SuccessfulExit", ["<false/>"]), "</dict>"]),
    ...renderEntry("ThrottleInterval", integer(THROTTLE_S)),
    ...renderEntry("ExitTimeOut", integer(EXIT_WITHIN_S)),
    ...renderEntry("ProcessType", renderString("Background")),
    ...renderEntry("Umask", integer(UMASK)),
    ...renderEntry("StandardOutPath", renderString(log)),
    ...renderEntry("StandardErrorPath", renderString(log)),
    "</dict>",
    "</plist>",
    "",
  ].join("\n");
}

/** The head of every plist; comments may only follow it. */
export const PLIST_HEAD = [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
  "",
].join("\n");

function renderEntry(key: string, value: readonly string[]): string[] {
  return [`<key>${escapeXml(key)}</key>`, ...value].map(indent);
}

function indent(line: string): string {
  return `  ${line}`;
}

function renderString(text: string): string[] {
  return [`<string>${escapeXml(text)}</string>`];
}

function integer(number: number): string[] {
  return [`<integer>${number}</integer>`];
}

/** XML 1.0 cannot express most control characters, and reads a carriage return as a line feed. */
function escapeXml(text: string): string {
  if (/[^\P{Cc}\t\n]/u.test(text))
    throw new AtlasBridgeError("ATB_USAGE", `launchd cannot represent ${JSON.stringify(text)}`, {
      hint: "Choose a path without control characters.",
    });
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
