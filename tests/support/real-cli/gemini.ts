/** The real `gemini`, ready to be spawned against a fake model. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chooseVersion, installRealCli, skipped } from "./install.js";
import { offlineEnv, type RealTool, type ToolOptions } from "./tool.js";
import { writeJson } from "./workspace.js";

export interface GeminiOptions extends ToolOptions {
  /** False: it asks how to sign in. */
  readonly signedIn?: boolean;
  readonly settings?: Readonly<Record<string, object>>;
}

const PACKAGE = "@google/gemini-cli";

export const gemini: RealTool<GeminiOptions> = {
  name: "gemini",
  version: chooseVersion(PACKAGE, "0.61.0"),

  async install(version = gemini.version) {
    const wanted = { name: PACKAGE, version };
    const installed = await installRealCli(wanted);
    if (!installed.ok || findProgram(installed.modules)) return installed;
    return skipped(wanted, "it has no program");
  },

  prepare({ modules, modelUrl, workspace }, options) {
    const file = findProgram(modules);
    if (file === null) throw new Error(`no gemini program under ${modules}; was install ok?`);
    const { signedIn = true, byName = false } = options;
    writeJson(join(workspace.home, ".gemini", "settings.json"), makeSettings(options));
    return {
      file: byName ? join(modules, ".bin", "gemini") : process.execPath,
      args: [...(byName ? [] : [file]), ...(options.args ?? [])],
      cwd: workspace.cwd,
      env: {
        ...offlineEnv(workspace.home),
        ...(signedIn && { GEMINI_API_KEY: "fake-key-000" }),
        GOOGLE_GEMINI_BASE_URL: modelUrl,
        // Else it starts itself anew in a child of its own.
        GEMINI_CLI_NO_RELAUNCH: "true",
        ...options.env,
      },
    };
  },
};

function findProgram(modules: string): string | null {
  const folder = join(modules, PACKAGE);
  const places = [join(folder, "bundle", "gemini.js"), join(folder, "dist", "index.js")];
  return places.find(existsSync) ?? null;
}

function makeSettings({ signedIn = true, trusted = true, settings = {} }: GeminiOptions): object {
  return {
    security: {
      ...(signedIn && { auth: { selectedType: "gemini-api-key" } }),
      folderTrust: { enabled: !trusted },
    },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    ...settings,
    ui: { theme: "Default", ...settings["ui"] },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, ...settings["general"] },
  };
}
