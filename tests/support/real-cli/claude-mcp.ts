/** The real claude as the client of `atlasbridge mcp`, with a fake model and a rig of its own. */
import { execFile, type ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FakeModel } from "../fake-model/server.js";
import type { Scenario } from "../fake-model/script.js";
import { MAIN } from "../hub-home.js";
import { type Rig, withRig } from "../rig/rig.js";
import { type ClaudeCommand, prepareClaude } from "./claude.js";
import type { Installed } from "./install.js";

export interface ClaudeBench {
  readonly rig: Rig;
  readonly api: FakeModel;
  readonly claude: ClaudeCommand;
  /** Without a terminal; resolves to what it printed. */
  readonly print: (task: string, ...args: string[]) => Promise<string>;
  /** Kills what `print` has started. */
  readonly kill: () => void;
}

export interface ClaudeMcpOptions {
  readonly installed: Installed;
  readonly label: string;
  readonly scenarios: Readonly<Record<string, Scenario>>;
  /** The tools of ours that claude may call without asking. */
  readonly allowed: readonly string[];
}

/** What claude calls our tools. */
export const SERVER = "mcp__atlasbridge__";

export function withClaudeOverMcp(
  { installed, label, scenarios, allowed }: ClaudeMcpOptions,
  work: (bench: ClaudeBench) => Promise<void>,
): Promise<void> {
  return withRig(async (rig) => {
    const api = await FakeModel.start({ scenarios });
    const config = join(rig.home.folder, "mcp.json");
    const env = { ATLASBRIDGE_HOME: rig.home.folder, RIG_MARK: rig.home.folder };
    const server = { command: process.execPath, args: [MAIN, "mcp", "--label", label], env };
    writeFileSync(config, JSON.stringify({ mcpServers: { atlasbridge: server } }));
    const tools = allowed.map((tool) => `${SERVER}${tool}`).join(",");
    const claude = prepareClaude({
      modules: installed.ok ? installed.modules : "",
      apiUrl: api.url,
      args: ["--mcp-config", config, "--strict-mcp-config", `--allowedTools=${tools}`],
    });
    api.setWorkspace(claude.cwd);
    const running: Promise<string>[] = [];
    const children: ChildProcess[] = [];
    const print = (task: string, ...args: string[]): Promise<string> => {
      const whole = [...claude.args, ...args, "-p", task];
      const printed = new Promise<string>((resolve) => {
        const child = execFile(claude.file, whole, { cwd: claude.cwd, env: claude.env }, (_, out, err) =>
          resolve(`${out}${err}`),
        );
        child.stdin?.end();
        children.push(child);
      });
      running.push(printed);
      return printed;
    };
    try {
      const kill = (): void => children.forEach((child) => void child.kill("SIGKILL"));
      await work({ rig, api, claude, print, kill });
      await Promise.all(running);
    } finally {
      await api.close();
      await claude.dispose();
    }
  });
}
