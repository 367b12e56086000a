/** The real `codex-acp`, which speaks the Agent Client Protocol for codex, against a fake model. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { codexEnv, writeConfig } from "./codex.js";
import { installRealCli, skipped } from "./install.js";
import { installNode, nodeFile } from "./node-24.js";
import type { RealTool } from "./tool.js";

const PACKAGE = "@agentclientprotocol/codex-acp";

export const codexAcp: RealTool = {
  name: "codex",
  version: "2.6.0",

  async install(version = codexAcp.version) {
    const node = await installNode();
    if (!node.ok) return node;
    const wanted = { name: PACKAGE, version };
    const installed = await installRealCli(wanted);
    if (!installed.ok || existsSync(programOf(installed.modules))) return installed;
    return skipped(wanted, "it has no program");
  },

  prepare(setting, { args = [], env }) {
    const node = nodeFile();
    writeConfig(setting, {});
    const base = codexEnv(setting.workspace);
    return {
      file: node,
      args: [programOf(setting.modules), ...args],
      cwd: setting.workspace.cwd,
      env: { ...base, PATH: `${dirname(node)}:${base["PATH"] ?? ""}`, FAKE_KEY: "sk-fake-000", ...env },
    };
  },
};

function programOf(modules: string): string {
  return join(modules, ".bin", "codex-acp");
}
