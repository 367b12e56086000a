/** Agents that speak the Agent Client Protocol for another tool: packages for a newer node, each with the settings of its tool. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { claudeEnv, writeState } from "./claude.js";
import { codexEnv, writeConfig } from "./codex.js";
import { installRealCli, skipped } from "./install.js";
import { installNode, nodeFile } from "./node-24.js";
import { offlineEnv, type RealTool, type Setting } from "./tool.js";

interface ProtocolAgent {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  readonly program: string;
  /** Writes the tool's settings; its environment. */
  readonly settle: (setting: Setting) => Readonly<Record<string, string>>;
}

function agent({ name, package: packageName, version: own, program, settle }: ProtocolAgent): RealTool {
  return {
    name,
    version: own,
    async install(version = own) {
      const node = await installNode();
      if (!node.ok) return node;
      const wanted = { name: packageName, version };
      const installed = await installRealCli(wanted);
      if (!installed.ok || existsSync(join(installed.modules, program))) return installed;
      return skipped(wanted, "it has no program");
    },
    prepare(setting, { args = [], env }) {
      const node = nodeFile();
      const base = settle(setting);
      return {
        file: node,
        args: [join(setting.modules, program), ...args],
        cwd: setting.workspace.cwd,
        env: { ...base, PATH: `${dirname(node)}:${base["PATH"] ?? ""}`, ...env },
      };
    },
  };
}

const forClaude = ({ workspace, modelUrl }: Setting): Record<string, string> => {
  writeState(workspace, {});
  return { ...offlineEnv(workspace.home), ...claudeEnv(modelUrl) };
};

export const claudeAgentAcp = agent({
  name: "claude",
  package: "@agentclientprotocol/claude-agent-acp",
  version: "0.100.0",
  program: "@agentclientprotocol/claude-agent-acp/dist/index.js",
  settle: forClaude,
});

/** Before it was named `claude-agent-acp`: this one has its client read, write and run for it, where that is offered. */
export const claudeCodeAcp = agent({
  name: "claude",
  package: "@zed-industries/claude-code-acp",
  version: "0.13.2",
  program: "@zed-industries/claude-code-acp/dist/index.js",
  settle: forClaude,
});

export const codexAcp = agent({
  name: "codex",
  package: "@agentclientprotocol/codex-acp",
  version: "2.6.0",
  program: ".bin/codex-acp",
  settle: (setting) => {
    writeConfig(setting, {});
    return { ...codexEnv(setting.workspace), FAKE_KEY: "sk-fake-000" };
  },
});
