/** The real codex under `atlasbridge run`, started as people start it: with its server in the background, which is joined. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Scenario } from "../fake-model/script.js";
import { FakeModel } from "../fake-model/server.js";
import { eventually } from "../hub-home.js";
import type { Card } from "../rig/phone.js";
import { findParent, listProcesses } from "../rig/processes.js";
import { withRig, type Rig } from "../rig/rig.js";
import type { Run } from "../rig/run.js";
import type { ToolCommand } from "./claude.js";
import { codex } from "./codex.js";
import { endServer, serverParts } from "./codex-server.js";
import { RealTerminal, type TerminalSize } from "./terminal.js";
import { makeWorkspace, type Workspace } from "./workspace.js";

const COMPOSER = /^› Ask Codex to do anything/m;
export const DIALOG = /Press enter to confirm or esc to cancel/;
/** What bare codex leaves in the background, each once. */
const BARE = ["app-server", "codex-code-mode-host", "pid-update-loop"];
/** Longer than both have to be quiet before a thread is looked for: by this turn the tool's is known. */
const WARM = "warm";
const WARM_TURN: Scenario = () => [{ text: "Hello, all is well here.", pace: { chars: 2, everyMs: 100 } }];

export class JoinedCodex {
  readonly rig: Rig;
  readonly model: FakeModel;
  readonly command: ToolCommand;
  readonly size: TerminalSize;
  readonly #workspace: Workspace;
  readonly #bystanders: RealTerminal[] = [];
  #run: Run;
  #cards = 0;

  private constructor(
    rig: Rig,
    parts: { model: FakeModel; command: ToolCommand; workspace: Workspace; size: TerminalSize },
  ) {
    this.rig = rig;
    this.model = parts.model;
    this.command = parts.command;
    this.size = parts.size;
    this.#workspace = parts.workspace;
    this.#run = this.#start();
  }

  /** `modules`: what `install` gave. Throws where more is left than bare codex leaves. */
  static async with(
    { modules, size, scenarios }: { modules: string; size: TerminalSize; scenarios: Scenarios },
    test: (codex: JoinedCodex) => Promise<void>,
  ): Promise<void> {
    const workspace = makeWorkspace();
    const model = await FakeModel.start({
      scenarios: { ...scenarios, [WARM]: WARM_TURN },
      cwd: workspace.cwd,
    });
    const command = codex.prepare(
      { modules, modelUrl: model.url, workspace },
      { server: true, sandbox: "read-only" },
    );
    try {
      await withRig(async (rig) => {
        const joined = new JoinedCodex(rig, { model, command, workspace, size });
        try {
          await joined.composer();
          await test(joined);
          await joined.#leave();
        } finally {
          await joined.#end();
        }
      });
    } finally {
      await model.close();
      await workspace.dispose();
    }
  }

  get run(): Run {
    return this.#run;
  }

  get terminal(): RealTerminal {
    return this.#run.terminal;
  }

  has(file: string): boolean {
    return existsSync(join(this.#workspace.cwd, file));
  }

  read(file: string): string {
    return readFileSync(join(this.#workspace.cwd, file), "utf8");
  }

  heard(text: string): boolean {
    return JSON.stringify(this.model.requests).includes(text);
  }

  async composer(terminal = this.terminal): Promise<void> {
    await terminal.waitUntil(isResting, "a composer at rest", 60_000);
    await terminal.settled();
  }

  /** A turn that asks nothing, by which its thread is known. */
  async warmUp(): Promise<void> {
    await this.does(WARM);
    await this.terminal.waitFor(/all is well here/);
    await this.composer();
  }

  async does(scenario: string, terminal = this.terminal): Promise<void> {
    await terminal.submit(`Please do [[${scenario}]]`);
  }

  /** Gives the model its next task. */
  async asks(scenario: string): Promise<Card> {
    await this.does(scenario);
    return this.card();
  }

  card(): Promise<Card> {
    this.#cards += 1;
    return this.run.card(this.#cards, 60_000);
  }

  async states(): Promise<string[]> {
    return (await this.rig.prompts()).map(({ state }) => state);
  }

  /** Without us, by the same user: in the same folder, or in another one of the same project. */
  async bystander(folder = "."): Promise<RealTerminal> {
    const terminal = new RealTerminal({ ...this.command, cwd: join(this.command.cwd, folder) }, this.size);
    this.#bystanders.push(terminal);
    await this.composer(terminal);
    return terminal;
  }

  async startAgain(): Promise<void> {
    await this.run.close();
    this.#run = this.#start();
    this.#cards = 0;
    await this.composer();
  }

  get worker(): number {
    return this.terminal.pid;
  }

  /** Of the interface, not of its server. */
  get tool(): number {
    const found = listProcesses(this.rig.home.folder).find((pid) =>
      isToolOf(pid, this.command.file, this.worker),
    );
    if (found === undefined) throw new Error("codex does not run");
    return found;
  }

  #start(): Run {
    const { env, cwd, file } = this.command;
    const paths = { ...env, PATH: `${dirname(file)}:${env["PATH"]}` };
    return this.rig.run(["codex"], { env: paths, cwd, ...this.size });
  }

  /** As bare codex leaves it. */
  async #leave(): Promise<void> {
    await this.run.close();
    const alive = this.#bystanders.filter(({ screen }) => screen !== "");
    if (alive.length < this.#bystanders.length) throw new Error("another codex ended with ours");
    await eventually(() => isOnceEach(serverParts(this.command)));
    if (!serverParts(this.command).includes("app-server")) throw new Error("its server was ended");
  }

  async #end(): Promise<void> {
    await this.run.close();
    for (const bystander of this.#bystanders) await bystander.close();
    // Whatever ran in this home has the rig's mark, which looks for what is left.
    await endServer(this.command);
  }
}

type Scenarios = Readonly<Record<string, Scenario>>;

function isResting(screen: string): boolean {
  return COMPOSER.test(screen) && !/esc to interrupt/.test(screen);
}

function isOnceEach(parts: readonly string[]): boolean {
  return parts.every((part, at) => BARE.includes(part) && parts.indexOf(part) === at);
}

function isToolOf(pid: number, file: string, worker: number): boolean {
  const command = commandLine(pid);
  return (command === "codex" || command === file) && isBelow(pid, worker);
}

function isBelow(pid: number, ancestor: number): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 1; at = findParent(at))
    if (at === ancestor) return true;
  return false;
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0] ?? "";
  } catch {
    return "";
  }
}
