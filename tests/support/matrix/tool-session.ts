/** A real CLI under `atlasbridge run`, with a model that does what a dialog of the matrix needs, and what came of it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readKnownVersion } from "../../../src/worker/runtimes/tool-version.js";
import { Player } from "../corpus/player.js";
import { timesRun } from "../fake-model/scenarios.js";
import { type MessagesRequest, readText, listToolResults } from "../fake-model/conversation.js";
import { findPlace, listResults, type Scenario } from "../fake-model/script.js";
import { FakeModel } from "../fake-model/server.js";
import { KEYS, type RealTerminal } from "../real-cli/terminal.js";
import { makeWorkspace, type Workspace } from "../real-cli/workspace.js";
import type { Card } from "../rig/phone.js";
import type { Rig } from "../rig/rig.js";
import type { Run } from "../rig/run.js";
import { type MatrixDialog, type MatrixTool, type SizeName, SIZES } from "./matrix.js";

/** A busy machine needs so long to start the slowest of them, and it to come to its question. */
const SLOW_MS = 60_000;
/** Between the echo of a typed line and its Enter: sooner, some take both for a paste. */
const BEFORE_ENTER_MS = 600;
const ASK = "ask";
const AGAIN = "again";
const PLAIN = "plain";
const BECAUSE = "because";
/** Has to stand in what the model tells an agent that it starts. */
export const HELPER = "[[helper]]";
const LONG = "long";
const ANSWER = "This is a plain answer.";
const DONE_AGAIN = "Done again.";

/** Why a call is denied; the model answers that it is understood. */
export const REASON = `use "mkdir" instead of it [[${BECAUSE}]]`;

export interface ToolSessionOptions {
  readonly table: MatrixTool;
  readonly dialog: MatrixDialog;
  readonly modules: string;
  readonly size: SizeName;
  readonly flags?: readonly string[];
}

export class ToolSession {
  readonly run: Run;
  readonly #options: ToolSessionOptions;
  readonly #model: FakeModel;
  readonly #workspace: Workspace;
  readonly #player: Player;
  #hasAnswered = false;

  private constructor(run: Run, options: ToolSessionOptions, model: FakeModel, workspace: Workspace) {
    this.run = run;
    this.#options = options;
    this.#model = model;
    this.#workspace = workspace;
    this.#player = new Player(run.terminal, workspace.cwd, ASK);
  }

  static async start(rig: Rig, options: ToolSessionOptions): Promise<ToolSession> {
    const { table, dialog, modules, size } = options;
    const workspace = makeWorkspace();
    const model = await FakeModel.start({ scenarios: makeScenarios(dialog), cwd: workspace.cwd });
    const setting = { modules, modelUrl: model.url, workspace };
    const { file, args, cwd, env } = table.tool.prepare(setting, dialog.options ?? {});
    if (table.tool.unpacksItself)
      expect(await readKnownVersion(file, env, rig.home.paths, { limitMs: SLOW_MS })).toBe(
        table.tool.version,
      );
    const flags = ["--adapter", table.tool.name, "--quiet", ...(table.flags ?? []), ...(options.flags ?? [])];
    const run = rig.run([file, ...args], { label: table.tool.name, cwd, env, flags, ...SIZES[size] });
    return new ToolSession(run, options, model, workspace);
  }

  get terminal(): RealTerminal {
    return this.run.terminal;
  }

  get cwd(): string {
    return this.#workspace.cwd;
  }

  /** The texts of what the tool told the model about the calls of this dialog. */
  get results(): readonly string[] {
    // Side requests (a title, a digest) hold none.
    const told = this.#model.requests.map((request) => listResults(request, ASK));
    return (told.findLast((results) => results.length > 0) ?? []).map(({ text }) => text);
  }

  /** How often MAKE_FILE ran. */
  get timesRun(): number {
    return timesRun(this.cwd);
  }

  /** A file of the workspace, or of the home with `~/`; empty when there is none. */
  read(name: string): string {
    const { home, cwd } = this.#workspace;
    const file = name.startsWith("~/") ? join(home, name.slice(2)) : join(cwd, name);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  /** Whether these words stand in anything that the model was ever told. */
  hasHeard(words: string): boolean {
    return this.#model.requests.some((request) => listWords(request).includes(words));
  }

  /** Tells the model to do what this dialog is about; nothing where it comes up by itself. */
  async ask(): Promise<void> {
    const { model, before } = this.#options.dialog;
    if (model === undefined) return;
    if (before) {
      await this.composer();
      await before(this.#player);
    }
    await this.say(ASK);
  }

  card(nth = 1): Promise<Card> {
    return this.run.card(nth, SLOW_MS);
  }

  async composer(): Promise<void> {
    await this.#player.see(this.#options.table.composer, SLOW_MS);
    await this.#player.still();
  }

  async say(part: string): Promise<void> {
    await this.composer();
    this.#player.type(`Go on [[${part}]]`);
    await this.#player.see(new RegExp(`\\[\\[${part}\\]\\]`));
    await this.#player.wait(BEFORE_ENTER_MS);
    await this.#player.key(KEYS.enter);
  }

  /** Until the model said all it had to say: its words are seen, or wiped by a tool that draws over them (gemini, on a busy machine). */
  async finished(): Promise<void> {
    try {
      await this.#player.see(/All done\./, SLOW_MS / 2);
    } catch (problem) {
      if (!this.#wasAnswered) throw problem;
      await this.composer();
    }
  }

  /** Whether the model was asked for what comes after the last step of this dialog. */
  get #wasAnswered(): boolean {
    const steps = makeScenarios(this.#options.dialog)[ASK]?.({ cwd: this.cwd, planFile: null }).length ?? 0;
    return this.#model.requests
      .map(findPlace)
      .some(({ scenario, step }) => scenario === ASK && step >= steps);
  }

  /** The very same calls once more, to their end. */
  async again(): Promise<void> {
    await this.say(AGAIN);
    await this.#player.see(/Done again\./, SLOW_MS);
  }

  /** Until the model heard what became of its calls and answered: the tool is as good as before. Once is enough. */
  async talkOn(): Promise<void> {
    if (this.#hasAnswered) return;
    await this.say(PLAIN);
    await this.#player.see(/This is a plain\s+answer\./, SLOW_MS);
    this.#hasAnswered = true;
  }

  /** Until the model works on something that never ends. */
  async work(): Promise<void> {
    await this.say(LONG);
    await this.#player.see(/A long story begins\./, SLOW_MS);
  }

  /** Takes a task that was interrupted out of the box again. */
  async empty(): Promise<void> {
    const { emptiedBy } = this.#options.table;
    if (emptiedBy === undefined) return;
    await this.#player.still();
    await this.#player.key(emptiedBy);
  }

  get account(): string {
    const cards = this.run.cards.map(({ text, buttons }) => [text, ...buttons].join("\n"));
    return ["The screen:", this.terminal.screen, "The cards:", ...cards].join("\n");
  }

  async close(): Promise<void> {
    await this.run.close();
    await this.#model.close();
    await this.#workspace.dispose();
  }
}

function makeScenarios({ model = [], helper = [] }: MatrixDialog): Readonly<Record<string, Scenario>> {
  const steps: Scenario = ({ cwd }) => (typeof model === "function" ? model(cwd) : model);
  return {
    [ASK]: steps,
    [AGAIN]: (context) => [...steps(context), { text: DONE_AGAIN }],
    [PLAIN]: () => [{ text: ANSWER }],
    [HELPER.slice(2, -2)]: () => helper,
    [BECAUSE]: () => [{ text: "Understood." }],
    [LONG]: () => [{ text: "A long story begins.", hold: true }],
  };
}

function listWords({ messages }: MessagesRequest): string {
  const texts = messages.flatMap((message) => [
    readText(message.content),
    ...listToolResults(message).map(({ text }) => text),
  ]);
  return texts.join("\n");
}
