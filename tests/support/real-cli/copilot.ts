/** The real `copilot`, ready to be spawned against a fake model of the user's own ("BYOK"). */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chooseVersion, installRealCli, skipped } from "./install.js";
import { offlineEnv, type RealTool, type ToolOptions } from "./tool.js";
import { type Workspace, writeJson } from "./workspace.js";

export interface CopilotOptions extends ToolOptions {
  /** False: no model is configured, so that it wants a login. */
  readonly provider?: boolean;
  readonly config?: object;
  readonly projectSettings?: object;
  /** The user has a hook before each permission in every place where copilot looks; this is its command there. */
  readonly ownHook?: (place: (typeof PLACES)[number]) => string;
}

const PLACES = ["settings", "file", "project", "plugin"] as const;

const PACKAGE = "@github/copilot";

export const copilot: RealTool<CopilotOptions> = {
  name: "copilot",
  version: chooseVersion(PACKAGE, "1.0.102"),
  unpacksItself: true,

  async install(version = copilot.version) {
    const wanted = { name: PACKAGE, version };
    const installed = await installRealCli(wanted);
    if (!installed.ok || findProgram(installed.modules)) return installed;
    return skipped(wanted, `it has no program for ${process.platform}-${process.arch}`);
  },

  prepare({ modules, modelUrl, workspace }, options) {
    const { provider = true, trusted = true, config, projectSettings, ownHook, args = [], env } = options;
    const file = findProgram(modules);
    if (file === null) throw new Error(`no copilot program under ${modules}; was install ok?`);
    writeJson(join(workspace.home, ".copilot", "config.json"), {
      ...(trusted && { trusted_folders: [workspace.cwd] }),
      ...config,
    });
    if (projectSettings)
      writeJson(join(workspace.cwd, ".github", "copilot", "settings.json"), projectSettings);
    return {
      file,
      args: [...(ownHook ? writeOwnHooks(workspace, ownHook) : []), ...args],
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

/** Returns the arguments that name the plugin. */
function writeOwnHooks({ home, cwd }: Workspace, command: NonNullable<CopilotOptions["ownHook"]>): string[] {
  const plugin = join(home, "own-plugin");
  const files = {
    settings: join(home, ".copilot", "settings.json"),
    file: join(home, ".copilot", "hooks", "own.json"),
    project: join(cwd, ".github", "hooks", "own.json"),
    plugin: join(plugin, "hooks.json"),
  };
  writeJson(join(plugin, "plugin.json"), { name: "own", version: "1.0.0" });
  for (const place of PLACES)
    writeJson(files[place], {
      hooks: { permissionRequest: [{ type: "command", command: command(place) }] },
    });
  return ["--plugin-dir", plugin];
}

function findProgram(modules: string): string | null {
  const file = join(modules, `${PACKAGE}-${process.platform}-${process.arch}`, "copilot");
  return existsSync(file) ? file : null;
}
