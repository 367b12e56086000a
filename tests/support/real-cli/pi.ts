/** The real `pi`, ready to be spawned against a fake model, with extensions that ask: it asks nothing by itself. */
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { chooseVersion, installRealCli, skipped } from "./install.js";
import { installNode, nodeFile } from "./node-24.js";
import { offlineEnv, type RealTool, type ToolOptions } from "./tool.js";
import { writeJson } from "./workspace.js";

export interface PiOptions extends ToolOptions {
  /** Of the examples that come with it. */
  readonly extensions?: readonly string[];
}

const PACKAGE = "@earendil-works/pi-coding-agent";

export const pi: RealTool<PiOptions> = {
  name: "pi",
  version: chooseVersion(PACKAGE, "0.74.2"),

  async install(version = pi.version) {
    const wanted = { name: PACKAGE, version };
    const node = await installNode();
    if (!node.ok) return node;
    const installed = await installRealCli(wanted);
    if (!installed.ok || existsSync(findProgram(installed.modules))) return installed;
    return skipped(wanted, "it has no program");
  },

  prepare({ modules, modelUrl, workspace }, { extensions = ["permission-gate.ts"], args = [], env }) {
    const settings = join(workspace.home, ".pi", "agent");
    writeJson(join(settings, "models.json"), {
      providers: {
        fake: {
          baseUrl: `${modelUrl}/v1`,
          api: "openai-completions",
          apiKey: "fake",
          models: [{ id: "fake-model", name: "Fake" }],
        },
      },
    });
    writeJson(join(settings, "settings.json"), { defaultProvider: "fake", defaultModel: "fake-model" });
    mkdirSync(join(settings, "extensions"), { recursive: true });
    for (const extension of extensions)
      copyFileSync(
        join(modules, PACKAGE, "examples", "extensions", extension),
        join(settings, "extensions", extension),
      );
    const own = offlineEnv(workspace.home);
    return {
      file: nodeFile(),
      args: [findProgram(modules), ...args],
      cwd: workspace.cwd,
      env: { ...own, PATH: `${dirname(nodeFile())}:${own["PATH"] ?? ""}`, PI_OFFLINE: "1", ...env },
    };
  },
};

function findProgram(modules: string): string {
  const folder = join(modules, PACKAGE, "dist");
  const bundled = join(folder, "bundle", "cli.js");
  return existsSync(bundled) ? bundled : join(folder, "cli.js");
}
