/** Nothing on the hub's side, on the wire or in a channel names a runtime or a tool. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { listFiles } from "./files.js";

/**
 * The folders on the hub's side of the boundary, and those of the worker that serve every tool alike: they act on capability
 * values received at `session.open` and on candidates, never on who is behind them.
 */
const BLIND_FOLDERS = [
  "src/hub",
  "src/wire",
  "src/sdk",
  "channels",
  "docs/how-to/examples",
  "src/worker/session",
  "src/worker/screen",
  "src/worker/answer",
];

/** Tools that have no adapter file yet, but could be thought of, and programs and libraries that draw what tools ask. */
const OTHER_TOOLS = [
  ...["claude", "codex", "gemini", "opencode", "qwen", "copilot", "aider", "goose", "crush"],
  ...["fzf", "gum", "skim", "whiptail", "inquirer", "enquirer", "clack", "ratatui", "bubbletea"],
];
const INTEGRATIONS = "src/worker/integrations/";
/** Goose and demo-agent are words that programs use for other things, too. */
const VENDORS = ["claude", "codex", "gemini", "opencode", "qwen", "copilot", "aider", "anthropic", "openai"];
/** Also the ways in which some are spoken to, however they are written. "Joined" alone is no name: lines and terminals are joined, too. */
const RUNTIMES = [
  ...["pty", "acp", "headless", "mcp", "stream[-_ ]?json"],
  ...["app[-_ ]?servers?", "session[-_ ]?servers?", "co[-_ ]?attach(?:ed)?", "join[-_ ](?:access|places?)"],
];
/** Said once for all tools: the adapter of whatever has none. */
const NO_TOOL = "generic";
/** A key of the adapter spec, packages that are called so, and the name of a character in markup. */
const EXCEPTIONS = /\bptyAlive\b|"@xterm\/headless"|&amp;/g;

interface AdapterFile {
  readonly family: string;
  readonly aliases?: readonly string[];
  readonly process: { readonly executable?: string; readonly executable_candidates?: readonly string[] };
}

/** Every name of every agent that has an adapter file. */
function adapterNames(): string[] {
  return readdirSync("adapters").flatMap((file) => {
    const [name = "", ending] = file.split(".");
    if (ending !== "yaml" || name === NO_TOOL) return [];
    const {
      family,
      aliases = [],
      process,
    } = parse(readFileSync(join("adapters", file), "utf8")) as AdapterFile;
    if (family !== "agent") return [];
    const { executable, executable_candidates: candidates = [] } = process;
    return [name, ...aliases, ...(executable ? [executable] : []), ...candidates];
  });
}

const NAMES = [...new Set([...adapterNames(), ...OTHER_TOOLS, ...RUNTIMES])];
const ANY_NAME = new RegExp(`(?<![a-z])(?:${NAMES.join("|")})(?![a-z])`, "g");

/** Names in a text: in identifiers (`PtyAdapter`), strings and comments alike. */
function namesIn(text: string): string[] {
  const words = text.replace(EXCEPTIONS, "").replace(/([a-z0-9])([A-Z])/g, "$1 $2");
  return words.toLowerCase().match(ANY_NAME) ?? [];
}

function listSources(folders: readonly string[]): string[] {
  return listFiles(...folders).filter((file) => file.endsWith(".ts"));
}

describe("the boundary between hub and worker", () => {
  it("has folders to look at, and knows the tools", () => {
    for (const folder of BLIND_FOLDERS) expect(listSources([folder]).length, folder).toBeGreaterThan(2);
    expect(NAMES).toEqual(expect.arrayContaining(["claude", "claude-code", "demo-agent"]));
  });

  it("keeps every tool's and every runtime's name out of folders that serve them all", () => {
    const found = listSources(BLIND_FOLDERS).flatMap((file) => {
      const names = namesIn(`${file}\n${readFileSync(file, "utf8")}`);
      return names.length === 0 ? [] : [`${file}: ${[...new Set(names)].join(", ")}`];
    });
    expect(found).toEqual([]);
  });

  it("names vendors only below the integrations", () => {
    const vendors = new RegExp(`(?<![a-z])(?:${VENDORS.join("|")})(?![a-z])`);
    const found = listSources(["src"]).filter(
      (file) => !file.startsWith(INTEGRATIONS) && vendors.test(readFileSync(file, "utf8").toLowerCase()),
    );
    expect(found).toEqual([]);
  });

  it("finds a name in every spelling", () => {
    expect(namesIn('if (session.tool === "claude") x();')).toEqual(["claude"]);
    expect(namesIn("class CodexDriver {}")).toEqual(["codex"]);
    expect(namesIn("const ptyOnly = 1; // as the PtyAdapter does")).toEqual(["pty", "pty"]);
    expect(namesIn('if (speaks === "app_server") x(); // "session-server"')).toEqual([
      "app_server",
      "session-server",
    ]);
    expect(namesIn("new AppServerJoin(); isCoattached; const sessionServer = 1; // co-attach")).toEqual([
      "app server",
      "coattached",
      "session server",
      "co-attach",
    ]);
    expect(namesIn("type JoinAccess = JoinPlace; STREAM_JSON; // a stream-json tool")).toEqual([
      "join access",
      "join place",
      "stream_json",
      "stream-json",
    ]);
    expect(namesIn("joinHost(); JoinedInput; // marks that are joined to it; whatsapp server_id")).toEqual(
      [],
    );
    expect(namesIn('readonly ptyAlive: boolean; import "@xterm/headless"; isEmpty(); capacity')).toEqual([]);
  });

  it("never compares the tool that a session names, which is only shown to people", () => {
    const compares = /\btool\b\s*(?:[!=]==?|\.(?:match|includes|startsWith)\b)|switch \([^)]*\btool\b/;
    const found = listSources(["src/hub", "src/wire", "channels"]).filter((file) =>
      compares.test(readFileSync(file, "utf8")),
    );
    expect(found).toEqual([]);
  });
});
