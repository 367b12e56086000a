/**
 * Builds the settings that make a tool call us for one run: the user's own with our hooks added, or one value on the command line. Pure.
 */
import { createHash } from "node:crypto";
import { isObject, type Json } from "../../../model/data/json.js";

export interface HookAddress {
  readonly port: number;
  readonly secret: string;
  /** Makes the same call, for events without HTTP. */
  readonly command: string;
  /** Shown by the tool while the hook runs. */
  readonly name?: string;
}

export interface WantedEvent {
  readonly name: string;
  readonly by: "http" | "command";
}

export interface WantedHooks {
  readonly events: readonly WantedEvent[];
  readonly timeoutSeconds: number | null;
}

export function formatBearer(secret: string): string {
  return `Bearer ${secret}`;
}

/** Null when hooks cannot be added to the user's settings. */
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

const TIMEOUT_SECONDS = 600;

/**
 * Our hooks as `key={…}` in TOML. The tool runs only trusted hooks, so the value trusts these by place and hash. `place`: the tool's name
 * for its command line.
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

/** Hashes the hook as the tool does: JSON without blanks, sorted keys. */
function hashHook(event: string, command: string): string {
  const hook = { async: false, command, timeout: TIMEOUT_SECONDS, type: "command" };
  const identity = JSON.stringify({ event_name: event, hooks: [hook] });
  return `sha256:${createHash("sha256").update(identity).digest("hex")}`;
}

function toSnakeCase(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

function quoteToml(value: string): string {
  return JSON.stringify(value);
}
