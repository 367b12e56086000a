/** The real `kilo`, ready to be spawned against a fake model. It descends from opencode, and is configured as that is. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chooseVersion, installRealCli, skipped } from "./install.js";
import type { OpencodeOptions } from "./opencode.js";
import { offlineEnv, type RealTool } from "./tool.js";
import { writeJson } from "./workspace.js";

/** The package `@kilocode/cli` only chooses among these. */
const PACKAGE = `@kilocode/cli-${process.platform}-${process.arch}`;
const ASK = { edit: "ask", bash: "ask", webfetch: "ask", external_directory: "ask" };

export const kilo: RealTool<OpencodeOptions> = {
  name: "kilo",
  version: chooseVersion(PACKAGE, "7.7.9"),

  async install(version = kilo.version) {
    const wanted = { name: PACKAGE, version };
    const installed = await installRealCli(wanted);
    if (!installed.ok || existsSync(findProgram(installed.modules))) return installed;
    return skipped(wanted, "it has no program");
  },

  prepare({ modules, modelUrl, workspace }, { permission = ASK, config, args = [], env }) {
    writeJson(join(workspace.home, ".config", "kilo", "kilo.json"), {
      autoupdate: false,
      share: "disabled",
      model: "fake/fake-model",
      small_model: "fake/fake-model",
      permission,
      provider: {
        fake: {
          npm: "@ai-sdk/openai-compatible",
          name: "Fake",
          options: { baseURL: `${modelUrl}/v1`, apiKey: "fake" },
          models: { "fake-model": { name: "Fake Model", limit: { context: 100_000, output: 4096 } } },
        },
      },
      ...config,
    });
    return {
      file: findProgram(modules),
      args,
      cwd: workspace.cwd,
      env: {
        ...offlineEnv(workspace.home),
        KILO_DISABLE_AUTOUPDATE: "1",
        KILO_DISABLE_MODELS_FETCH: "1",
        KILO_DISABLE_DEFAULT_PLUGINS: "1",
        KILO_DISABLE_LSP_DOWNLOAD: "1",
        KILO_DISABLE_SESSION_INGEST: "1",
        ...env,
      },
    };
  },
};

function findProgram(modules: string): string {
  return join(modules, PACKAGE, "bin", "kilo");
}
