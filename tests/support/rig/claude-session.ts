/** The real claude under `atlasbridge run`, with a model that says what a test wants, and what came of it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { timesRun } from "../fake-model/scenarios.js";
import type { ToolResult } from "../fake-model/conversation.js";
import { FakeModel } from "../fake-model/server.js";
import {
  type ClaudeCommand,
  type ClaudeOptions,
  prepareClaude,
  type ToolCommand,
} from "../real-cli/claude.js";
import type { RealTerminal, TerminalSize } from "../real-cli/terminal.js";
import type { ClaudeDialog } from "./claude-dialogs.js";
import type { Rig } from "./rig.js";
import type { Run } from "./run.js";

export const INPUT_BOX = /^❯\u00a0/m;

export interface ClaudeSessionOptions {
  readonly modules: string;
  readonly label: string;
  readonly size?: TerminalSize;
  readonly claude?: Partial<ClaudeOptions>;
  readonly flags?: readonly string[];
}

export class ClaudeSession {
  readonly run: Run;
  readonly #api: FakeModel;
  readonly #claude: ClaudeCommand;
  #scenario = "";

  private constructor(run: Run, api: FakeModel, claude: ClaudeCommand) {
    this.run = run;
    this.#api = api;
    this.#claude = claude;
  }

  static async start(
    rig: Rig,
    { modules, label, size, claude, flags = [] }: ClaudeSessionOptions,
  ): Promise<ClaudeSession> {
    const api = await FakeModel.start();
    const command = prepareClaude({ modules, apiUrl: api.url, ...claude });
    api.setWorkspace(command.cwd);
    const { file, args, cwd, env } = command;
    return new ClaudeSession(rig.run([file, ...args], { label, cwd, env, flags, ...size }), api, command);
  }

  async bringUp({ scenario, drawn }: ClaudeDialog): Promise<void> {
    if (scenario !== null) await this.play(scenario);
    await this.terminal.waitFor(drawn);
  }

  get terminal(): RealTerminal {
    return this.run.terminal;
  }

  /** The home in which claude keeps its settings. */
  get home(): string {
    return this.#claude.home;
  }

  get cwd(): string {
    return this.#claude.cwd;
  }

  /** What claude told the model about its tool calls. */
  get results(): readonly ToolResult[] {
    return this.#api.toolResults(this.#scenario);
  }

  get timesRun(): number {
    return timesRun(this.cwd);
  }

  read(name: string): string {
    const file = join(this.cwd, name);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  async play(scenario: string): Promise<void> {
    await this.terminal.waitFor(INPUT_BOX);
    await this.terminal.submit(`please run [[${scenario}]]`);
    this.#scenario = scenario;
  }

  /** Until the turn is over because the model said all it had to say. */
  async finished(): Promise<void> {
    await this.terminal.waitFor(/All done\./);
  }

  /** Until claude told the model what became of its call: a refusal travels with the next message. */
  async talkOn(): Promise<void> {
    await this.terminal.waitFor(INPUT_BOX);
    await this.terminal.submit("and now [[plain]]");
    await this.terminal.waitFor(/This is a plain answer\./);
  }

  /** A command line of claude's as its user would type it, without us. */
  commandLine(args: readonly string[]): ToolCommand {
    return { ...this.#claude, args };
  }

  async close(): Promise<void> {
    await this.run.close();
    await this.#api.close();
    await this.#claude.dispose();
  }
}
