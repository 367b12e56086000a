/**
 * Builds the settings that make a tool call us for one run: the user's settings for this run, if any, with our hooks added to theirs.
 * In the format that several agents share. Pure.
 */
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
