/** The real `opencode`, ready to be spawned against a fake model. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chooseVersion, installRealCli, skipped } from "./install.js";
import { KEYS, type RealTerminal } from "./terminal.js";
import { offlineEnv, type RealTool, type ToolOptions } from "./tool.js";
import { writeJson } from "./workspace.js";

export interface OpencodeOptions extends ToolOptions {
  /** What to do with each kind of call; by default it asks about all that matter. */
  readonly permission?: Readonly<Record<string, unknown>>;
  readonly config?: object;
}

export const COMPOSER = /Ask anything|ctrl\+p commands|╹▀{8}/;
/** On a busy machine. */
export const SLOW_MS = 60_000;

const PACKAGE = "opencode-ai";
const ASK = { edit: "ask", bash: "ask", webfetch: "ask", external_directory: "ask" };

export const opencode: RealTool<OpencodeOptions> = {
  name: "opencode",
  version: chooseVersion(PACKAGE, "1.18.33"),

  async install(version = opencode.version) {
    const wanted = { name: PACKAGE, version };
    const installed = await installRealCli(wanted);
    if (!installed.ok || findProgram(installed.modules)) return installed;
    return skipped(wanted, `it has no program for ${process.platform}-${process.arch}`);
  },

  prepare({ modules, modelUrl, workspace }, { permission = ASK, config, args = [], env }) {
    const file = findProgram(modules);
    if (file === null) throw new Error(`no opencode program under ${modules}; was install ok?`);
    writeJson(join(workspace.home, ".config", "opencode", "opencode.json"), {
      autoupdate: false,
      share: "disabled",
      model: "fake/fake-model",
      small_model: "fake/fake-model",
      permission,
      provider: { fake: providerAt(modelUrl) },
      ...config,
    });
    return {
      file,
      args,
      cwd: workspace.cwd,
      env: {
        ...offlineEnv(workspace.home),
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        ...env,
      },
    };
  },
};

/** Has the model play that scenario. */
export async function giveTask(terminal: RealTerminal, scenario: string): Promise<void> {
  await terminal.waitFor(COMPOSER, SLOW_MS);
  await terminal.settled();
  terminal.press(`Please do [[${scenario}]]`);
  await terminal.waitFor(new RegExp(`┃ +Please do \\[\\[${scenario}\\]\\]`), SLOW_MS);
  await terminal.settled();
  // Once: a second one might answer what is asked.
  terminal.press(KEYS.enter);
}

function findProgram(modules: string): string | null {
  const file = join(modules, `opencode-${process.platform}-${process.arch}`, "bin", "opencode");
  return existsSync(file) ? file : null;
}

function providerAt(modelUrl: string): object {
  return {
    npm: "@ai-sdk/openai-compatible",
    name: "Fake",
    options: { baseURL: `${modelUrl}/v1`, apiKey: "fake" },
    models: { "fake-model": { name: "Fake Model", limit: { context: 100_000, output: 4096 } } },
  };
}
