/** What every real CLI is to tests and to the recorder of the corpus: something to install and to start in a workspace. */
import type { ToolCommand } from "./claude.js";
import type { Installed } from "./install.js";
import { cleanEnv, type Workspace } from "./workspace.js";

export interface Setting {
  readonly modules: string;
  readonly modelUrl: string;
  readonly workspace: Workspace;
}

/** What a test may vary; each tool has more of its own. */
export interface ToolOptions {
  /** False: the tool asks whether it may trust the folder. Only for tools that ask. */
  readonly trusted?: boolean;
  /** Started by its own name, as people do: only then is it told to call us. */
  readonly byName?: boolean;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface RealTool<Options extends ToolOptions = ToolOptions> {
  readonly name: string;
  /** The version that the adapter was written against. */
  readonly version: string;
  /** It is told to call us, and unpacks itself in a fresh home before it tells its version: longer than a run waits for that. */
  readonly unpacksItself?: boolean;
  /** Never throws; not ok where this machine cannot run it, and the reason has been printed then. */
  install(version?: string): Promise<Installed>;
  /** Writes the tool's settings into the workspace's home. */
  prepare(setting: Setting, options: Options): ToolCommand;
}

/** No way out but the loopback: an update or a metric of the tool must neither wait nor leave. */
export function offlineEnv(home: string): Record<string, string> {
  return {
    ...cleanEnv(home),
    HTTPS_PROXY: "http://127.0.0.1:9",
    HTTP_PROXY: "",
    ALL_PROXY: "",
    NO_PROXY: "127.0.0.1,localhost",
    no_proxy: "127.0.0.1,localhost",
  };
}
