/** The real `claude-agent-acp`, which speaks the Agent Client Protocol for claude, against a fake Messages API. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { claudeEnv, writeState } from "./claude.js";
import { installRealCli, skipped } from "./install.js";
import { installNode, nodeFile } from "./node-24.js";
import { offlineEnv, type RealTool } from "./tool.js";

const PACKAGE = "@agentclientprotocol/claude-agent-acp";

export const claudeAgentAcp: RealTool = {
  name: "claude",
  version: "0.100.0",

  async install(version = claudeAgentAcp.version) {
    const node = await installNode();
    if (!node.ok) return node;
    const wanted = { name: PACKAGE, version };
    const installed = await installRealCli(wanted);
    if (!installed.ok || existsSync(programOf(installed.modules))) return installed;
    return skipped(wanted, "it has no program");
  },

  prepare({ modules, modelUrl, workspace }, { args = [], env }) {
    const node = nodeFile();
    const base = offlineEnv(workspace.home);
    writeState(workspace, {});
    return {
      file: node,
      args: [programOf(modules), ...args],
      cwd: workspace.cwd,
      env: { ...base, PATH: `${dirname(node)}:${base["PATH"] ?? ""}`, ...claudeEnv(modelUrl), ...env },
    };
  },
};

function programOf(modules: string): string {
  return join(modules, PACKAGE, "dist", "index.js");
}
