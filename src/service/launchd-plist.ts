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
    ...entry("Label", string(name)),
    ...entry("ProgramArguments", ["<array>", ...command.flatMap(string).map(indent), "</array>"]),
    ...entry("EnvironmentVariables", [
      "<dict>",
      ...Object.entries(environment).flatMap(([key, value]) => entry(key, string(value))),
      "</dict>",
    ]),
    ...entry("RunAtLoad", ["<true/>"]),
    ...entry("KeepAlive", ["<dict>", ...entry("SuccessfulExit", ["<false/>"]), "</dict>"]),
    ...entry("ThrottleInterval", integer(THROTTLE_S)),
    ...entry("ExitTimeOut", integer(EXIT_WITHIN_S)),
    ...entry("ProcessType", string("Background")),
    ...entry("Umask", integer(UMASK)),
    ...entry("StandardOutPath", string(log)),
    ...entry("StandardErrorPath", string(log)),
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

function entry(key: string, value: readonly string[]): string[] {
  return [`<key>${escapeXml(key)}</key>`, ...value].map(indent);
}

function indent(line: string): string {
  return `  ${line}`;
}

function string(text: string): string[] {
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
