/** The real `claude`, ready to be spawned against a fake API, by a test or with `atlasbridge run` before it. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chooseVersion, type Installed, installRealCli, type RealCliPackage, skipped } from "./install.js";
import { cleanEnv, makeWorkspace, type Workspace, writeJson } from "./workspace.js";

/** The version that adapters/claude.yaml was written against. */
export const CLAUDE_VERSION = chooseVersion("@anthropic-ai/claude-code", "2.1.329");

export interface ClaudeOptions {
  readonly modules: string;
  readonly apiUrl: string;
  /** By default one of its own. */
  readonly workspace?: Workspace;
  /** `manual` asks before every tool call. The CLI's own default (`auto`) mostly does not ask at all. */
  readonly permissionMode?: "manual" | "plan" | "acceptEdits";
  /** False: the CLI asks whether it may trust the folder. */
  readonly trusted?: boolean;
  /** False: the CLI asks whether it may use the API key it found in its environment. */
  readonly keyApproved?: boolean;
  /** Adds the MCP server `ops` of mcp-server.ts. */
  readonly mcp?: boolean;
  /** The user's settings.json, for example `{ permissions: { allow: ["Bash"] } }`. */
  readonly settings?: object;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface ToolCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface ClaudeCommand extends ToolCommand {
  readonly home: string;
  /** Removes home and workspace. Only after the tool has ended. */
  dispose(): Promise<void>;
}

const API_KEY = "sk-ant-fake-000";
/** The CLI remembers an approved key by its end. */
const KEY_TAIL_CHARS = 20;

export function claudePackage(version: string = CLAUDE_VERSION): RealCliPackage {
  return { name: "@anthropic-ai/claude-code", version };
}

/** Installs claude if need be. Not ok if this machine cannot run it; the reason has been printed then. */
export async function installClaude(version: string = CLAUDE_VERSION): Promise<Installed> {
  const wanted = claudePackage(version);
  const installed = await installRealCli(wanted);
  if (!installed.ok || findProgram(installed.modules)) return installed;
  return skipped(wanted, `it has no program for ${process.platform}-${process.arch}`);
}

export function prepareClaude(options: ClaudeOptions): ClaudeCommand {
  const program = findProgram(options.modules);
  if (!program) throw new Error(`no claude program under ${options.modules}; was installClaude ok?`);
  const { workspace = makeWorkspace() } = options;
  writeState(workspace, options);
  if (options.mcp) writeMcpConfig(workspace.cwd);
  return {
    file: program.file,
    args: [...program.args, "--permission-mode", modeArgument(options), ...(options.args ?? [])],
    cwd: workspace.cwd,
    env: { ...cleanEnv(workspace.home), ...claudeEnv(options.apiUrl), ...options.env },
    home: workspace.home,
    dispose: () => workspace.dispose(),
  };
}

/** Newer versions are one native program, older ones a script for node. */
function findProgram(modules: string): { file: string; args: string[] } | null {
  const scope = join(modules, "@anthropic-ai");
  const native = join(scope, `claude-code-${process.platform}-${process.arch}`, "claude");
  if (existsSync(native)) return { file: native, args: [] };
  // By its own name: a run knows the tool by it.
  const script = join(modules, ".bin", "claude");
  return existsSync(script) ? { file: script, args: [] } : null;
}

/** `default` is the old name of `manual`; every version takes it. */
function modeArgument({ permissionMode = "manual" }: ClaudeOptions): string {
  return permissionMode === "manual" ? "default" : permissionMode;
}

export function claudeEnv(apiUrl: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: apiUrl,
    ANTHROPIC_API_KEY: API_KEY,
    DISABLE_TELEMETRY: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
}

/** What a home looks like in which claude was used before. */
export function writeState(
  { home, cwd }: Workspace,
  options: Pick<ClaudeOptions, "trusted" | "keyApproved" | "mcp" | "settings">,
): void {
  const { trusted = true, keyApproved = true } = options;
  const project = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] };
  writeJson(join(home, ".claude.json"), {
    hasCompletedOnboarding: true,
    theme: "dark",
    ...(keyApproved && {
      customApiKeyResponses: { approved: [API_KEY.slice(-KEY_TAIL_CHARS)], rejected: [] },
    }),
    ...(trusted && { projects: { [cwd]: project } }),
  });
  const settings = {
    // Else an approved WebFetch first asks claude.ai about the domain.
    skipWebFetchPreflight: true,
    ...(options.mcp && { enableAllProjectMcpServers: true }),
    ...options.settings,
  };
  writeJson(join(home, ".claude", "settings.json"), settings);
}

function writeMcpConfig(cwd: string): void {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const args = ["--import", loader, join(import.meta.dirname, "mcp-server.ts")];
  writeJson(join(cwd, ".mcp.json"), { mcpServers: { ops: { command: process.execPath, args } } });
}
