/**
 * Reads common command lines of `atlasbridge run` without Commander, whose loading took a tenth of the time until the tool's first byte
 * (ADR 10). For any other line it returns null, and Commander reads it.
 */
import { LABEL_MAX, type RunFlags } from "./run-flags.js";

export interface PlainRun {
  readonly tool: string;
  readonly args: readonly string[];
  readonly flags: RunFlags;
}

type Mutable = { -readonly [K in keyof RunFlags]: RunFlags[K] };

const SWITCHES: Readonly<Record<string, (flags: Mutable) => void>> = {
  "--no-relay": (flags) => (flags.relay = false),
  "--relay-required": (flags) => (flags.relayRequired = true),
  "--ask": (flags) => (flags.ask = true),
  "--no-hooks": (flags) => (flags.hooks = false),
  "--isolate": (flags) => (flags.isolate = true),
  "--quiet": (flags) => (flags.quiet = true),
};
const VALUES: Readonly<Record<string, "label" | "cwd" | "adapter">> = {
  "--label": "label",
  "--cwd": "cwd",
  "--adapter": "adapter",
};

/** `words` follow the program's name. */
export function readPlainRun(words: readonly string[]): PlainRun | null {
  if (words[0] !== "run") return null;
  const flags = createFlags();
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    const value = Object.hasOwn(VALUES, word) ? VALUES[word] : undefined;
    if (Object.hasOwn(SWITCHES, word)) SWITCHES[word]?.(flags);
    else if (value === undefined) break;
    else {
      const text = words[++at] ?? "";
      // Commander reports an empty or dashed value and a long label.
      if (text === "" || text.startsWith("-") || (value === "label" && text.length > LABEL_MAX)) return null;
      flags[value] = text;
    }
  }
  if (words[at] === "--") at++;
  else if (words[at]?.startsWith("-")) return null;
  const tool = words[at];
  // Commander reports this contradiction.
  if (tool === undefined || tool === "" || (flags.relayRequired && !flags.relay)) return null;
  return { tool, args: words.slice(at + 1), flags };
}

function createFlags(): Mutable {
  return {
    runtime: "pty",
    dryRun: false,
    listSessions: false,
    relay: true,
    relayRequired: false,
    ask: false,
    hooks: true,
    isolate: false,
    console: false,
    consoleForAgents: false,
    quiet: false,
  };
}
