/**
 * Builds the settings that make a tool call us for one run: the user's own settings with our hooks added, in the format that several
 * agents share, or one value on the command line. Pure.
 */
import { createHash } from "node:crypto";
import { isObject, type Json } from "../../../model/data/json.js";

export interface HookAddress {
  readonly port: number;
  readonly secret: string;
  /** Shell command that makes the same call, for events without HTTP. */
  readonly command: string;
  /** The name that the tool shows while the hook runs; absent: nothing, or the command. */
  readonly name?: string;
}

export interface WantedEvent {
  readonly name: string;
  readonly by: "http" | "command";
}

export interface WantedHooks {
  readonly events: readonly WantedEvent[];
  /** Null: the tool's own limit. */
  readonly timeoutSeconds: number | null;
}

/** The authorization header that callers must send. */
export function formatBearer(secret: string): string {
  return `Bearer ${secret}`;
}

/** Null when hooks cannot be added to the user's settings; then they are left unchanged. */
export function addHooks(user: unknown, wanted: WantedHooks, address: HookAddress): Json | null {
  if (!isObject(user)) return null;
  const own = user["hooks"] ?? {};
  if (!isObject(own)) return null;
  const hooks: Record<string, unknown> = { ...own };
  for (const event of wanted.events) {
    const before = own[event.name] ?? [];
    if (!Array.isArray(before)) return null;
    const entry = { hooks: [createHook(event, wanted.timeoutSeconds, address)] };
    hooks[event.name] = [...(before as unknown[]), entry];
  }
  return { ...user, hooks };
}

function createHook({ by }: WantedEvent, limit: number | null, address: HookAddress): Json {
  const { port, secret, command, name } = address;
  const timeout = limit === null ? {} : { timeout: limit };
  if (by === "command") return { type: "command", ...(name !== undefined && { name }), command, ...timeout };
  const headers = { Authorization: formatBearer(secret) };
  return { type: "http", url: `http://127.0.0.1:${port}/`, headers, ...timeout };
}

/** The tool's default timeout, which is part of its hash. */
const TIMEOUT_SECONDS = 600;

/**
 * Our hooks as one value on a tool's command line, for tools that run only trusted hooks. It also trusts exactly these hooks, by the name
 * of their place and a hash. `key={…}` in TOML. `place`: the tool's name for its command line in the name of a hook.
 */
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
