/** Determines a program's mode and nesting level from its prompt and the end of its output. */
import type { ProgramFile, ProgramMode } from "../../../adapter-format/program/program-file.js";
import { matches } from "../../../adapter-format/pattern.js";
import { matchPrompt, type PromptMatch } from "./prompt-pattern.js";

export interface CurrentMode {
  readonly name: string;
  readonly level: number | null;
}

export class ModeDetector {
  readonly #modes: readonly ProgramMode[];
  readonly #initial: ProgramMode | null;
  current: CurrentMode | null;
  #reported: string | null = null;

  constructor({ modes }: Pick<ProgramFile, "modes">) {
    this.#modes = modes;
    this.#initial = modes.find((mode) => mode.default) ?? modes[0] ?? null;
    this.current = this.#initialMode;
  }

  /** The prompts of all modes; those that are entered automatically come first. */
  get prompts(): readonly string[] {
    return this.#ordered.flatMap(({ primary }) => primary ?? []);
  }

  /** Call at each prompt. `line`: the text of the prompt; null if only marks show it. `output`: the lines before it. */
  update(line: string | null, output: readonly string[]): CurrentMode | null {
    const before = this.#modes.find(({ name }) => name === this.current?.name);
    if (before?.exit_detect !== undefined && line !== null && matchPrompt(before.exit_detect, line))
      this.current = this.#initialMode;
    for (const mode of this.#ordered) {
      const prompt =
        mode.primary === undefined || line === null ? null : matchPrompt(mode.primary, line, true);
      // `detect` recognizes the entry of a mode; only its prompt shows that it is still active.
      const isEntered = mode.detect !== undefined && output.some((each) => matches(mode.detect ?? "", each));
      const isHere = prompt !== null || (mode.primary === undefined && isEntered);
      if (!isHere) continue;
      this.current = { name: mode.name, level: readLevel(mode, prompt) };
      return this.current;
    }
    if (line === null && this.#initial && this.#reported === null) this.current = this.#initialMode;
    return this.current;
  }

  /** Call at a prompt after something else was typed, whose output is unknown. */
  updateUnseen(line: string | null): void {
    const { primary } = this.#modes.find(({ name }) => name === this.current?.name) ?? {};
    const isTellable = line !== null || primary !== undefined;
    if (isTellable) this.update(line, []);
  }

  /** Call with the mode that the program reports. From then on only reports and the modes' own prompts count. */
  report(value: string): void {
    this.#reported = value;
    const mode = this.#modes.find(({ reported }) => reported === value);
    this.current = mode ? { name: mode.name, level: null } : this.#initialMode;
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
