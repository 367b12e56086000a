/** The real `copilot`, ready to be spawned against a fake model of the user's own ("BYOK"). */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chooseVersion, installRealCli, skipped } from "./install.js";
import { offlineEnv, type RealTool, type ToolOptions } from "./tool.js";
import { writeJson } from "./workspace.js";

export interface CopilotOptions extends ToolOptions {
  /** False: no model is configured, so that it wants a login. */
  readonly provider?: boolean;
  /** More of config.json. */
  readonly config?: object;
}

const PACKAGE = "@github/copilot";

export const copilot: RealTool<CopilotOptions> = {
  name: "copilot",
  version: chooseVersion(PACKAGE, "1.0.102"),

  async install(version = copilot.version) {
    const wanted = { name: PACKAGE, version };
    const installed = await installRealCli(wanted);
    if (!installed.ok || findProgram(installed.modules)) return installed;
    return skipped(wanted, `it has no program for ${process.platform}-${process.arch}`);
  },

  prepare({ modules, modelUrl, workspace }, { provider = true, trusted = true, config, args = [], env }) {
    const file = findProgram(modules);
    if (file === null) throw new Error(`no copilot program under ${modules}; was install ok?`);
    writeJson(join(workspace.home, ".copilot", "config.json"), {
      ...(trusted && { trusted_folders: [workspace.cwd] }),
      ...config,
    });
    return {
      file,
      args,
      cwd: workspace.cwd,
      env: {
        ...offlineEnv(workspace.home),
        COPILOT_AUTO_UPDATE: "false",
        ...(provider && {
          COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
          COPILOT_PROVIDER_TYPE: "openai",
          COPILOT_PROVIDER_API_KEY: "fake",
          COPILOT_MODEL: "fake-model",
          COPILOT_OFFLINE: "true",
        }),
        ...env,
      },
    };
  },
};

function findProgram(modules: string): string | null {
  const file = join(modules, `${PACKAGE}-${process.platform}-${process.arch}`, "copilot");
  return existsSync(file) ? file : null;
}
