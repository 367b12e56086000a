/** The real `codex`, ready to be spawned against a fake model. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chooseVersion, installRealCli, skipped } from "./install.js";
import { offlineEnv, type RealTool, type Setting, type ToolOptions } from "./tool.js";
import { writeJson, writeText, type Workspace } from "./workspace.js";

export interface CodexOptions extends ToolOptions {
  /** An old model makes it announce a newer one. */
  readonly model?: string;
  readonly sandbox?: "workspace-write" | "read-only";
  /** A newer release is known. */
  readonly update?: boolean;
  /** False: no provider is configured, so that it asks for a login. */
  readonly provider?: boolean;
  /** Lines of config.toml: keys, and tables that follow them. */
  readonly keys?: readonly string[];
  readonly tables?: readonly string[];
  /** As people start it: its server in the background outlives it, and is to be ended (`endServer`). */
  readonly server?: boolean;
  /** A command that its user has trusted as a hook for the end of a turn. */
  readonly stopHook?: string;
}

const PACKAGE = "@openai/codex";

export const codex: RealTool<CodexOptions> = {
  name: "codex",
  version: chooseVersion(PACKAGE, "0.169.0"),

  async install(version = codex.version) {
    const wanted = { name: PACKAGE, version };
    const installed = await installRealCli(wanted);
    if (!installed.ok || findProgram(installed.modules)) return installed;
    return skipped(wanted, `it has no program for ${process.platform}-${process.arch}`);
  },

  prepare(setting, options) {
    const { modules, workspace } = setting;
    const file = findProgram(modules);
    if (file === null) throw new Error(`no codex program under ${modules}; was install ok?`);
    const folder = writeConfig(setting, options);
    if (options.update) {
      const latest = { latest_version: "99.0.0", last_checked_at: new Date().toISOString() };
      writeJson(join(folder, "version.json"), { ...latest, dismissed_version: null });
    }
    return {
      file,
      // Without it a background server outlives the session.
      args: [...(options.server ? [] : ["--no-daemon"]), ...(options.args ?? [])],
      cwd: workspace.cwd,
      env: {
        ...codexEnv(workspace),
        ...(options.provider !== false && { FAKE_KEY: "sk-fake-000" }),
        ...options.env,
      },
    };
  },
};

export function writeConfig(setting: Setting, options: CodexOptions): string {
  const folder = locateFolder(setting.workspace);
  writeText(join(folder, "config.toml"), buildConfig(setting, options));
  return folder;
}

export function codexEnv(workspace: Workspace): Record<string, string> {
  return { ...offlineEnv(workspace.home), CODEX_HOME: locateFolder(workspace) };
}

function locateFolder({ home }: Workspace): string {
  return join(home, ".codex");
}

const TARGETS: Readonly<Record<string, string>> = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
};

function findProgram(modules: string): string | null {
  const platform = `${process.platform}-${process.arch}`;
  const vendor = join(modules, `${PACKAGE}-${platform}`, "vendor", TARGETS[platform] ?? platform);
  const places = [join(vendor, "bin", "codex"), join(vendor, "codex", "codex")];
  return places.find(existsSync) ?? null;
}

function buildConfig({ modelUrl, workspace }: Setting, options: CodexOptions): string {
  const { model = "gpt-6.1-sol", sandbox = "workspace-write", trusted = true, provider = true } = options;
  return [
    `check_for_update_on_startup = ${options.update ?? false}`,
    ...(provider ? [`model = "${model}"`, 'model_provider = "fake"'] : []),
    ...(provider ? ['approval_policy = "on-request"', `sandbox_mode = "${sandbox}"`] : []),
    ...(options.keys ?? []),
    "[analytics]",
    "enabled = false",
    ...(trusted ? [`[projects."${workspace.cwd}"]`, 'trust_level = "trusted"'] : []),
    ...(provider ? providerTable(modelUrl) : []),
    ...(options.tables ?? []),
    ...(options.stopHook === undefined ? [] : stopHook(workspace.home, options.stopHook)),
    "",
  ].join("\n");
}

/** As codex itself writes it when it is trusted: by its place, and by the hash of what it is. */
function stopHook(home: string, command: string): string[] {
  const hook = { async: false, command, timeout: 600, type: "command" };
  const identity = JSON.stringify({ event_name: "stop", hooks: [hook] });
  const hash = createHash("sha256").update(identity).digest("hex");
  return [
    "[[hooks.Stop]]",
    "[[hooks.Stop.hooks]]",
    'type = "command"',
    `command = ${JSON.stringify(command)}`,
    `[hooks.state."${join(home, ".codex", "config.toml")}:stop:0:0"]`,
    `trusted_hash = "sha256:${hash}"`,
  ];
}

function providerTable(modelUrl: string): string[] {
  return [
    "[model_providers.fake]",
    'name = "Fake"',
    `base_url = "${modelUrl}/v1"`,
    'wire_api = "responses"',
    'env_key = "FAKE_KEY"',
    "request_max_retries = 1",
    "stream_max_retries = 1",
  ];
}
