/** The real `cline`, ready to be spawned against a fake model. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chooseVersion, installRealCli, skipped } from "./install.js";
import { offlineEnv, type RealTool, type ToolOptions } from "./tool.js";
import { writeJson } from "./workspace.js";

/** The package `cline` only chooses among these. */
const PACKAGE = `@cline/cli-${process.platform}-${process.arch}`;
/** It asks nothing unless it is told to. */
const ASKS = ["--auto-approve", "false"];

export const cline: RealTool = {
  name: "cline",
  version: chooseVersion(PACKAGE, "3.0.65"),

  async install(version = cline.version) {
    const wanted = { name: PACKAGE, version };
    const installed = await installRealCli(wanted);
    if (!installed.ok || existsSync(findProgram(installed.modules))) return installed;
    return skipped(wanted, "it has no program");
  },

  prepare({ modules, modelUrl, workspace }, { args = ASKS, env }: ToolOptions) {
    const provider = "openai-compatible";
    const settings = { provider, apiKey: "fake", model: "fake-model", baseUrl: `${modelUrl}/v1` };
    writeJson(join(workspace.home, ".cline", "data", "settings", "providers.json"), {
      version: 1,
      lastUsedProvider: provider,
      providers: {
        [provider]: { settings, updatedAt: "2026-11-25T00:00:00.000Z", tokenSource: "manual" },
      },
    });
    return {
      file: findProgram(modules),
      args,
      cwd: workspace.cwd,
      env: { ...offlineEnv(workspace.home), ...env },
    };
  },
};

function findProgram(modules: string): string {
  return join(modules, PACKAGE, "bin", "cline");
}
