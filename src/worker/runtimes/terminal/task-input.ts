/** Puts what the tool is to do next into its input box: only while it waits for that and the box is proved empty. */
import type { Clock } from "../../../model/clock.js";
import { rejection, type RejectionCode } from "../../../model/answer/rejection.js";
import type { InjectionGate, InjectionResult } from "../../../sdk/adapter.js";
import type { TaskInput } from "../../../sdk/session-powers.js";
import type { View } from "../../../sdk/view.js";
import { injectPlanned } from "../../answer/inject.js";
import { TerminalDriver } from "../../answer/terminal-driver.js";
import { planTask } from "../../answer/plan/text-plan.js";
import { runExclusive } from "../../answer/run-exclusive.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { findComposer, isCommand } from "../../detection/composer.js";
import type { LiveDetector } from "../../detection/live/live-detector.js";
import { stateOf } from "../../detection/states.js";
import type { Screen } from "../../screen/screen.js";
import type { Terminal } from "../../process/terminal.js";
import type { LocalKeys } from "./prompts/local-keys.js";
import type { PromptRegistry } from "./prompts/prompt-registry.js";

export interface TaskInputOptions {
  readonly clock: Clock;
  readonly adapter: CompiledAdapter;
  readonly screen: Screen;
  readonly prompts: PromptRegistry;
  readonly detector: LiveDetector;
  readonly keys: LocalKeys;
  readonly foregroundGroup: () => number | null;
  /** Null until the tool was started. */
  readonly terminal: () => Terminal | null;
  /** Whoever else writes takes turns with us under this name. */
  readonly turn: object;
}

export class TerminalTaskInput implements TaskInput {
  readonly #options: TaskInputOptions;
  /** Of the terminal; each pair listens to the screen for good. */
  #port: TerminalDriver | null = null;

  constructor(options: TaskInputOptions) {
    this.#options = options;
  }

  /** Never throws for anything the terminal does; see `injectPlanned`. */
  submit(text: string, gate: InjectionGate, halt?: AbortSignal): Promise<InjectionResult> {
    return runExclusive(this.#options.turn, () => this.#submit(text, gate, halt));
  }

  async #submit(text: string, gate: InjectionGate, halt?: AbortSignal): Promise<InjectionResult> {
    const { adapter, screen, keys, foregroundGroup } = this.#options;
    const terminal = this.#options.terminal();
    if (!terminal?.alive) return refused("session_gone");
    if (adapter.composer === null) return refused("no_composer");
    if (isCommand(adapter, text)) return refused("composer_command");
    if (!this.#isIdle()) return refused("not_idle");
    const composer = findComposer(adapter, screen.view());
    if (composer === null) return refused("not_idle");
    const port = (this.#port ??= this.#portOn(terminal));
    return injectPlanned(port, composer, (live, view) => planTask(live, view, text), gate, {
      raisedGroup: foregroundGroup(),
      halt,
      isCurrent: () => this.#isIdle(),
      onBusy: (busy, touched) => (busy ? keys.hold() : keys.release(touched)),
    });
  }

  /** Nothing is asked, drawn or not, and the tool waits for its next task. */
  #isIdle(): boolean {
    const { detector, adapter, screen } = this.#options;
    if (this.#asks() || detector.toolState !== "idle") return false;
    // What the tool says of itself comes late as a rule: a picture of work counts at once.
    return stateOf(adapter, screen.view(), {}) === "idle";
  }

  #asks(): boolean {
    const { prompts, detector } = this.#options;
    return prompts.isAsking || detector.candidateNow() !== null;
  }

  #portOn(terminal: Terminal): TerminalDriver {
    const { adapter, screen, clock, keys, foregroundGroup } = this.#options;
    return new TerminalDriver(terminal, screen, clock, {
      // Above a dialog the person's own words may be drawn like the input box: no Enter goes there.
      detect: (view: View) => (this.#asks() ? null : findComposer(adapter, view)),
      signs: (view: View) => stateOf(adapter, view, {}),
      hasEmptyComposer: (view: View) => findComposer(adapter, view)?.field?.text === "",
      typedAt: () => keys.typedAt,
      foregroundGroup,
      isEnding: () => this.#options.prompts.isEnding,
    });
  }
}

function refused(code: RejectionCode): InjectionResult {
  return { kind: "refused", rejection: rejection(code), stillAsked: false };
}
