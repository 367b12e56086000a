/** The real `qwen`, ready to be spawned against a fake model. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { chooseVersion, installRealCli, skipped } from "./install.js";
import { installNode, nodeFile } from "./node-24.js";
import { offlineEnv, type RealTool, type ToolOptions } from "./tool.js";
import { writeJson } from "./workspace.js";

export interface QwenOptions extends ToolOptions {
  /** False: it asks how to sign in. */
  readonly signedIn?: boolean;
  /** `default` asks before every tool; in `auto` a model decides first. */
  readonly approvalMode?: "default" | "auto" | "plan";
  readonly settings?: Readonly<Record<string, object>>;
}

const PACKAGE = "@qwen-code/qwen-code";

export const qwen: RealTool<QwenOptions> = {
  name: "qwen",
  version: chooseVersion(PACKAGE, "0.24.4"),

  async install(version = qwen.version) {
    const wanted = { name: PACKAGE, version };
    const node = await installNode();
    if (!node.ok) return node;
    const installed = await installRealCli(wanted);
    if (!installed.ok || existsSync(findProgram(installed.modules))) return installed;
    return skipped(wanted, "it has no program");
  },

  prepare({ modules, modelUrl, workspace }, options) {
    const { signedIn = true, byName = false } = options;
    const node = nodeFile();
    const env = offlineEnv(workspace.home);
    writeJson(join(workspace.home, ".qwen", "settings.json"), makeSettings(options));
    return {
      file: byName ? join(modules, ".bin", "qwen") : node,
      args: [...(byName ? [] : [findProgram(modules)]), ...(options.args ?? [])],
      cwd: workspace.cwd,
      env: {
        ...env,
        // It starts itself anew by name.
        PATH: `${dirname(node)}:${env["PATH"] ?? ""}`,
        ...(signedIn && {
          OPENAI_API_KEY: "fake-key-000",
          OPENAI_BASE_URL: `${modelUrl}/v1`,
          OPENAI_MODEL: "fake-model",
        }),
        QWEN_CODE_NO_RELAUNCH: "true",
        ...options.env,
      },
    };
  },
};

function findProgram(modules: string): string {
  return join(modules, PACKAGE, "cli.js");
}

function makeSettings(options: QwenOptions): object {
  const { signedIn = true, trusted = true, approvalMode = "default", settings = {} } = options;
  return {
    security: { ...(signedIn && { auth: { selectedType: "openai" } }), folderTrust: { enabled: !trusted } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    model: { name: "fake-model" },
    // Its own copy is no program after an installation without scripts.
    tools: { approvalMode, useRipgrep: false },
    ...settings,
    ui: { theme: "Default", ...settings["ui"] },
    general: {
      disableAutoUpdate: true,
      disableUpdateNag: true,
      enableAutoUpdate: false,
      ...settings["general"],
    },
  };
}
