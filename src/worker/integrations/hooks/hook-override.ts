/**
 * Hooks as one value on a tool's command line, for tools that run a hook only once it was trusted: with ours goes the trust in exactly
 * them, by name of their place and hash of what they are. It ends with the run, and is in nobody else's hooks. Pure.
 */
import { createHash } from "node:crypto";
import type { WantedEvent } from "./hook-settings.js";

/** What such a tool takes where nothing is said, and hashes in its place. */
const TIMEOUT_SECONDS = 600;

/** `key={…}` in TOML. `place`: what the tool calls its command line when it names a hook. */
export function hooksOverride(
  key: string,
  place: string,
  events: readonly WantedEvent[],
  command: string,
): string {
  const hooks = events.map(({ name }) => `${name}=[{hooks=[{type="command",command=${text(command)}}]}]`);
  const trust = events.map(({ name }) => {
    const event = snake(name);
    return `${text(`${place}:${event}:0:0`)}={trusted_hash=${text(hashOf(event, command))}}`;
  });
  return `${key}={${hooks.join(",")},state={${trust.join(",")}}}`;
}

/** Of the hook as the tool completes it: JSON without blanks, names in order. */
function hashOf(event: string, command: string): string {
  const hook = { async: false, command, timeout: TIMEOUT_SECONDS, type: "command" };
  const identity = JSON.stringify({ event_name: event, hooks: [hook] });
  return `sha256:${createHash("sha256").update(identity).digest("hex")}`;
}

/** `PermissionRequest` → `permission_request`. */
function snake(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** Escapes of JSON are escapes of TOML. */
function text(value: string): string {
  return JSON.stringify(value);
}
