/**
 * The settings with which a tool is told for one run to call us: the user's own ones, if they gave any for this run, with our hooks
 * beside theirs. In the format that several agents share. Pure.
 */
export interface HookAddress {
  readonly port: number;
  readonly secret: string;
  /** Shell command that does the same call, for events that have no HTTP. */
  readonly command: string;
  /** What the tool shows while the hook runs; absent: nothing, or the command. */
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

/** What callers send to be heard. */
export function bearer(secret: string): string {
  return `Bearer ${secret}`;
}

type Json = Readonly<Record<string, unknown>>;

/** Null when the user's settings are none that hooks can be added to: then nothing of theirs is touched. */
export function withHooks(user: unknown, wanted: WantedHooks, address: HookAddress): Json | null {
  if (!isObject(user)) return null;
  const own = user["hooks"] ?? {};
  if (!isObject(own)) return null;
  const hooks: Record<string, unknown> = { ...own };
  for (const event of wanted.events) {
    const before = own[event.name] ?? [];
    if (!Array.isArray(before)) return null;
    const entry = { hooks: [hookFor(event, wanted.timeoutSeconds, address)] };
    hooks[event.name] = [...(before as unknown[]), entry];
  }
  return { ...user, hooks };
}

function hookFor({ by }: WantedEvent, limit: number | null, address: HookAddress): Json {
  const { port, secret, command, name } = address;
  const timeout = limit === null ? {} : { timeout: limit };
  if (by === "command") return { type: "command", ...(name !== undefined && { name }), command, ...timeout };
  const headers = { Authorization: bearer(secret) };
  return { type: "http", url: `http://127.0.0.1:${port}/`, headers, ...timeout };
}

function isObject(value: unknown): value is Json {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** Whoever has one of these may lead every call through it, also one to the loopback. */
const PROXIES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];

/**
 * False when the tool's calls might go to a proxy instead of the loopback: the proxy would see what is asked, and could answer in our
 * place. Tools read these variables differently (in which case, which one first), so the loopback has to be spared by each `NO_PROXY`.
 */
export function reachesLoopback(environment: Readonly<Record<string, string | undefined>>): boolean {
  const named = (name: string): string[] =>
    [environment[name.toLowerCase()], environment[name]].flatMap((value) => value || []);
  if (PROXIES.every((name) => named(name).length === 0)) return true;
  const lists = named("NO_PROXY").map((list) => list.split(",").map((host) => host.trim()));
  return lists.length > 0 && lists.every((hosts) => hosts.some(isLoopback));
}

function isLoopback(host: string): boolean {
  return host === "*" || host === "127.0.0.1" || host === "127.0.0.0/8";
}
