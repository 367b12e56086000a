/** Files and commands of the workspace, as far as they were offered to the agent. */
import type { Clock } from "../../../../model/clock.js";
import type { SessionId } from "../../../../model/ids.js";
import type { Random } from "../../../../observe/random.js";
import type { AgentOffer } from "../../../adapter-format/acp-file.js";
import type { Json } from "../../../../model/data/json.js";
import type { Environment } from "../../../process/child-environment.js";
import type { RequestHandler } from "../agent-connection.js";
import { takeLastLines } from "../../../runtimes/protocol/transcript.js";
import { readText, writeText } from "./files.js";
import { Terminals } from "./terminals.js";
import { Workspace } from "./workspace.js";

export interface ServicesOptions {
  readonly cwd: string;
  readonly environment: Environment;
  readonly sessionId: SessionId;
  readonly clock: Clock;
  readonly random: Random;
  readonly offers: readonly AgentOffer[];
  /** Our own folders, which the agent may not touch. */
  readonly offLimits: readonly string[];
  readonly onShown: (line: string, more: readonly string[]) => void;
  /** Records a possible change to the user's files. */
  readonly onChange: (service: string, content: string) => void;
}

export class Services {
  readonly #options: ServicesOptions;
  readonly #workspace: Workspace;
  readonly #terminals: Terminals;

  constructor(options: ServicesOptions) {
    const { cwd, offLimits, onShown, onChange } = options;
    this.#options = options;
    this.#workspace = new Workspace({ folder: cwd, offLimits });
    this.#terminals = new Terminals({
      ...options,
      workspace: this.#workspace,
      onStarted: (words, folder) => {
        onChange("terminal/create", `${words}\n${folder}`);
        onShown(`$ ${words}`, []);
      },
      onEnded: (words, { exitCode, signal }, output) => {
        const how = signal === null ? `exit ${exitCode}` : signal;
        onShown(`$ ${words} → ${how}`, takeLastLines(output));
      },
    });
  }

  get capabilities(): Json {
    const { offers } = this.#options;
    return {
      fs: { readTextFile: offers.includes("read_files"), writeTextFile: offers.includes("write_files") },
      terminal: offers.includes("terminals"),
    };
  }

  get handlers(): Readonly<Record<string, RequestHandler>> {
    const { offers } = this.#options;
    return {
      ...(offers.includes("read_files") && { "fs/read_text_file": (params) => this.#read(params) }),
      ...(offers.includes("write_files") && { "fs/write_text_file": (params) => this.#write(params) }),
      ...(offers.includes("terminals") && {
        "terminal/create": (params) => this.#terminals.create(params),
        "terminal/output": (params) => this.#terminals.output(params),
        "terminal/wait_for_exit": (params) => this.#terminals.waitForExit(params),
        "terminal/kill": (params) => this.#terminals.kill(params),
        "terminal/release": (params) => this.#terminals.release(params),
      }),
    };
  }

  get isWaitedFor(): boolean {
    return this.#terminals.isWaitedFor;
  }

  close(): void {
    this.#terminals.close();
  }

  #read(params: Json): { content: string } {
    const { content, path } = readText(this.#workspace, params);
    this.#options.onShown(`read ${this.#workspace.short(path)}`, []);
    return { content };
  }

  #write(params: Json): Record<string, never> {
    const path = writeText(this.#workspace, this.#options.random, params);
    this.#options.onChange("fs/write_text_file", `${path}\n${String(params["content"])}`);
    this.#options.onShown(`wrote ${this.#workspace.short(path)}`, []);
    return {};
  }
}
