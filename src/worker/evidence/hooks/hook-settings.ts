/**
 * The settings with which a tool is told for one run to call us: the user's own ones, if they gave any for this run, with our hooks
 * beside theirs. In the format that several agents share. Pure.
 */
export interface HookAddress {
  readonly port: number;
  readonly secret: string;
  /** Shell command that does the same call, for events that have no HTTP. */
  readonly command: string;
}

export interface WantedEvent {
  readonly name: string;
  readonly by: "http" | "command";
}

export interface WantedHooks {
  readonly events: readonly WantedEvent[];
  readonly timeoutSeconds: number;
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

function hookFor({ by }: WantedEvent, timeout: number, { port, secret, command }: HookAddress): Json {
  if (by === "command") return { type: "command", command, timeout };
  const headers = { Authorization: bearer(secret) };
  return { type: "http", url: `http://127.0.0.1:${port}/`, headers, timeout };
}

function isObject(value: unknown): value is Json {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/**
 * False when the tool's calls would go to a proxy instead of the loopback: the proxy would see what is asked, and could not reach
 * us. `NO_PROXY` is read as the common HTTP clients do.
 */
export function reachesLoopback(environment: Readonly<Record<string, string | undefined>>): boolean {
  const named = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? "";
  if (named("HTTP_PROXY") === "" && named("ALL_PROXY") === "") return true;
  const spared = named("NO_PROXY")
    .split(",")
    .map((host) => host.trim());
  return spared.some((host) => host === "*" || host === "127.0.0.1" || host === "127.0.0.0/8");
}
