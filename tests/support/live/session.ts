/** One long session of a real tool under `atlasbridge run`: a person at its terminal, a phone, and a model that plays its part. */
import type { FakeModel } from "../fake-model/server.js";
import type { ListedPrompt, ListedSession } from "../../../src/wire/listings.js";
import { Player } from "../corpus/player.js";
import type { ToolCommand } from "../real-cli/claude.js";
import type { TerminalSize } from "../real-cli/terminal.js";
import type { Rig } from "../rig/rig.js";
import type { Run } from "../rig/run.js";
import {
  compareTurn,
  raisedPrompt,
  type Label,
  type LiveSituation,
  type RaisedPrompt,
  type Turn,
} from "./log.js";
import { DISMISS, type LiveTool } from "./tools.js";

export const LARGE: TerminalSize = { cols: 120, rows: 40 };
const SMALLER: TerminalSize = { cols: 100, rows: 30 };
/** Every so many turns the window changes its size and back. */
const RESIZE_EVERY = 8;

/** What nobody asked must not come later either: longer than anything waits before it is raised unread. */
const SILENCE_MS = 6000;
const PROMPTS_WITHIN_MS = 8000;
const LOOK_MS = 500;
const KEYS_MS = 900;
const TRIES = 6;

export class LiveSession {
  readonly #rig: Rig;
  readonly #run: Run;
  readonly #tool: LiveTool;
  readonly #model: FakeModel;
  readonly #cwd: string;
  readonly #start = performance.now();
  readonly #seen = new Set<string>();
  #count = 0;

  constructor(rig: Rig, tool: LiveTool, command: ToolCommand, model: FakeModel) {
    const { file, args, cwd, env } = command;
    // What is measured is how screens are read.
    const flags = ["--adapter", tool.name, "--quiet", "--no-hooks"];
    this.#run = rig.run([file, ...args], { label: tool.name, cwd, env, flags, ...LARGE });
    this.#rig = rig;
    this.#tool = tool;
    this.#model = model;
    this.#cwd = cwd;
  }

  /** Null, with the reason printed, when the situation did not come about: the machine was too busy, or the tool went another way. */
  async turn(situation: LiveSituation): Promise<Turn | null> {
    try {
      return await this.#turn(situation);
    } catch (error) {
      console.error(`${situation.name} did not come about: ${String(error)}`);
      await this.#refresh(situation);
      return null;
    }
  }

  async #turn(situation: LiveSituation): Promise<Turn> {
    const { label } = situation;
    const before = new Set((await this.#rig.prompts()).map(({ promptId }) => promptId));
    const at = Math.round((performance.now() - this.#start) / 100) / 10;
    const terminal = await this.#play(situation);
    const prompts = await this.#promptsSince(before, label);
    for (const { promptId } of prompts) this.#seen.add(promptId);
    const answered = label.type === null ? {} : { answered: await this.#answer(situation, label) };
    await this.#refresh(situation);
    const states = await this.#rig.prompts();
    const raised = prompts.map(
      (prompt) => states.find(({ promptId }) => promptId === prompt.promptId) ?? prompt,
    );
    this.#count++;
    return {
      turn: this.#count,
      situation: situation.name,
      did: situation.description,
      terminal,
      at_s: at,
      ...compareTurn(label, prompts),
      raised: raised.map(raisedPrompt),
      ...answered,
    };
  }

  async besides(): Promise<readonly RaisedPrompt[]> {
    const prompts = await this.#rig.prompts();
    return prompts.filter(({ promptId }) => !this.#seen.has(promptId)).map(raisedPrompt);
  }

  async #play(situation: LiveSituation): Promise<string> {
    const player = this.#player(situation);
    await situation.play(player);
    if (situation.settles !== false) await player.still();
    if (this.#count % RESIZE_EVERY !== RESIZE_EVERY - 1) return nameSize(LARGE);
    await player.resize(SMALLER.cols, SMALLER.rows);
    await player.resize(LARGE.cols, LARGE.rows);
    return `${nameSize(LARGE)}, ${nameSize(SMALLER)} and back`;
  }

  async #promptsSince(before: ReadonlySet<string>, label: Label): Promise<readonly ListedPrompt[]> {
    await this.#wait(label.count === 0 ? SILENCE_MS : LOOK_MS);
    const deadline = performance.now() + PROMPTS_WITHIN_MS;
    let prompts = await this.#newest(before);
    while (prompts.length < label.count && performance.now() < deadline) {
      await this.#wait(LOOK_MS);
      prompts = await this.#newest(before);
    }
    return prompts;
  }

  async #newest(before: ReadonlySet<string>): Promise<readonly ListedPrompt[]> {
    const prompts = await this.#rig.prompts();
    return prompts
      .filter(({ promptId }) => !before.has(promptId))
      .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  }

  /** Every other question that stands alone is answered from the phone, the others with Esc at the keyboard. */
  async #answer(situation: LiveSituation, label: Label): Promise<string> {
    const nth = this.#run.cards.length;
    const isPlain = label.count === 1 && label.replies !== undefined && label.type === "multiple_choice";
    if (!isPlain || this.#count % 2 === 1 || nth === 0 || this.#tool.atKeyboard.includes(situation.name))
      return "Esc at the keyboard";
    const card = await this.#run.card(nth);
    const told = await card.press(1);
    return `first choice from the phone: ${/on its way/.test(told) ? await card.settled() : told}`;
  }

  /** Back to an empty composer in a new conversation. */
  async #refresh(situation: LiveSituation): Promise<void> {
    const player = this.#player(situation);
    await this.#quiet(player);
    await player.key(...this.#tool.empty);
    if (this.#tool.fresh === null) return;
    player.type(this.#tool.fresh);
    await player.wait(KEYS_MS);
    await player.key("\r");
    await player.gone(new RegExp(`\\[\\[${situation.name}\\]\\]`)).catch(() => undefined);
    await player.still();
  }

  async #quiet(player: Player): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      const state = await this.#state();
      if (tries > 0 && state === "idle") return;
      if (tries === 0 || state !== "idle") await player.key(DISMISS);
      this.#model.release();
      await player.wait(KEYS_MS);
    }
  }

  async #state(): Promise<ListedSession["state"] | null> {
    return (await this.#rig.sessions()).at(-1)?.state ?? null;
  }

  #player({ name }: LiveSituation): Player {
    return new Player(this.#run.terminal, this.#cwd, name);
  }

  async #wait(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
}

function nameSize({ cols, rows }: TerminalSize): string {
  return `${cols}x${rows}`;
}
