/** The hub as an agent of launchd (launchd.plist(5)). Pure. */
import { AtlasBridgeError } from "../model/errors.js";
import type { UserService } from "./service.js";

/** Least time between two starts, as launchd counts it: a mistake in the configuration must not keep a core busy. */
const THROTTLE_S = 30;
/** The hub finishes answers for ten seconds at most, and ends its channels within five. */
const EXIT_WITHIN_S = 20;
/** Octal 077, in the only notation that a plist has. */
const UMASK = 0o077;

/**
 * `SuccessfulExit: false`: `hub stop` and another hub in its place end with 0 and are final; making way for a newer program and a
 * crash are not. A service never ends because it is idle. Errors: ATB_USAGE.
 */
export function launchdPlist({ name, command, environment, log }: UserService): string {
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

/** What every plist begins with; comments may only follow it. */
export const PLIST_HEAD = [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
  "",
].join("\n");

function entry(key: string, value: readonly string[]): string[] {
  return [`<key>${escaped(key)}</key>`, ...value].map(indent);
}

function indent(line: string): string {
  return `  ${line}`;
}

function string(text: string): string[] {
  return [`<string>${escaped(text)}</string>`];
}

function integer(number: number): string[] {
  return [`<integer>${number}</integer>`];
}

/** XML 1.0 has no way to write most control characters, and reads a carriage return as a line feed. */
function escaped(text: string): string {
  if (/[^\P{Cc}\t\n]/u.test(text))
    throw new AtlasBridgeError("ATB_USAGE", `launchd cannot be told ${JSON.stringify(text)}`, {
      hint: "Choose a place without control characters in its path.",
    });
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
