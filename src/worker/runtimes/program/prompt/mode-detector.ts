/** Tells from a program's prompt and the end of its output in which of its modes it is, and how deep. */
import type { ProgramFile, ProgramMode } from "../../../adapter-format/program/program-file.js";
import { matches } from "../../../adapter-format/pattern.js";
import { matchPrompt, type PromptMatch } from "./prompt-pattern.js";

export interface CurrentMode {
  readonly name: string;
  /** Null where the mode cannot be nested. */
  readonly level: number | null;
}

export class ModeDetector {
  readonly #modes: readonly ProgramMode[];
  readonly #initial: ProgramMode | null;
  #current: CurrentMode | null;
  #reported: string | null = null;

  constructor({ modes }: Pick<ProgramFile, "modes">) {
    this.#modes = modes;
    this.#initial = modes.find((mode) => mode.default) ?? modes[0] ?? null;
    this.#current = this.#initialMode;
  }

  /** Null for a program without modes. */
  get current(): CurrentMode | null {
    return this.#current;
  }

  /** The prompts of all modes, those that are entered unasked first. */
  get prompts(): readonly string[] {
    return this.#ordered.flatMap(({ primary }) => primary ?? []);
  }

  /**
   * Call at each prompt. `line`: the prompt as it is drawn; null where only marks show it. `output`: the lines before it.
   */
  update(line: string | null, output: readonly string[]): CurrentMode | null {
    const before = this.#modes.find(({ name }) => name === this.#current?.name);
    if (before?.exit_detect !== undefined && line !== null && matchPrompt(before.exit_detect, line))
      this.#current = this.#initialMode;
    for (const mode of this.#ordered) {
      const prompt =
        mode.primary === undefined || line === null ? null : matchPrompt(mode.primary, line, true);
      // `detect` tells how it is entered; whether it is still on, only its prompt tells.
      const isEntered = mode.detect !== undefined && output.some((each) => matches(mode.detect ?? "", each));
      const isHere = prompt !== null || (mode.primary === undefined && isEntered);
      if (!isHere) continue;
      this.#current = { name: mode.name, level: readLevel(mode, prompt) };
      return this.#current;
    }
    if (line === null && this.#initial && this.#reported === null) this.#current = this.#initialMode;
    return this.#current;
  }

  /** Call at a prompt behind what somebody else has typed: its output is not known here. */
  updateUnseen(line: string | null): void {
    const { primary } = this.#modes.find(({ name }) => name === this.#current?.name) ?? {};
    const isTellable = line !== null || primary !== undefined;
    if (isTellable) this.update(line, []);
  }

  /** What the program says of its mode. From then on only what it says, and a mode's own prompt, counts. */
  report(value: string): void {
    this.#reported = value;
    const mode = this.#modes.find(({ reported }) => reported === value);
    this.#current = mode ? { name: mode.name, level: null } : this.#initialMode;
  }

  get #initialMode(): CurrentMode | null {
    return this.#initial && { name: this.#initial.name, level: null };
  }

  get #ordered(): readonly ProgramMode[] {
    const entered = this.#modes.filter(({ auto_enter: auto }) => auto);
    return [...entered, ...this.#modes.filter((mode) => !entered.includes(mode))];
  }
}

function readLevel({ nested, level_capture: group }: ProgramMode, prompt: PromptMatch | null): number | null {
  if (!nested || group === null || prompt === null) return null;
  const level = Number(prompt.groups[group - 1]);
  return Number.isInteger(level) ? level : null;
}
