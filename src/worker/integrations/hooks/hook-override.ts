/**
 * Builds our hooks as one value on a tool's command line, for tools that run only trusted hooks. The value also trusts exactly these
 * hooks, by the name of their place and a hash. It ends with the run and affects no other hooks. Pure.
 */
import { createHash } from "node:crypto";
import type { WantedEvent } from "./hook-settings.js";

/** The tool's default timeout, which is part of its hash. */
const TIMEOUT_SECONDS = 600;

/** `key={…}` in TOML. `place`: the tool's name for its command line in the name of a hook. */
export function createHooksOverride(
  key: string,
  place: string,
  events: readonly WantedEvent[],
  command: string,
): string {
  const hooks = events.map(
    ({ name }) => `${name}=[{hooks=[{type="command",command=${quoteToml(command)}}]}]`,
  );
  const trust = events.map(({ name }) => {
    const event = toSnakeCase(name);
    return `${quoteToml(`${place}:${event}:0:0`)}={trusted_hash=${quoteToml(hashHook(event, command))}}`;
  });
  return `${key}={${hooks.join(",")},state={${trust.join(",")}}}`;
}

/** Hashes the hook as the tool completes it: JSON without blanks, sorted keys. */
function hashHook(event: string, command: string): string {
  const hook = { async: false, command, timeout: TIMEOUT_SECONDS, type: "command" };
  const identity = JSON.stringify({ event_name: event, hooks: [hook] });
  return `sha256:${createHash("sha256").update(identity).digest("hex")}`;
}

/** `PermissionRequest` → `permission_request`. */
function toSnakeCase(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** JSON escapes are valid in TOML. */
function quoteToml(value: string): string {
  return JSON.stringify(value);
}
