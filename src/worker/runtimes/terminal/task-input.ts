/** Types the next task into the tool's input box: only while the tool waits for it and the box is proved empty. */
import { createRejection } from "../../../model/answer/rejection.js";
import type { InjectionGate, InjectionResult } from "../../../sdk/adapter.js";
import type { TaskInput } from "../../../sdk/session-powers.js";
import type { View } from "../../../sdk/view.js";
import type { TerminalPort } from "../../answer/terminal-port.js";
import { injectPlanned } from "../../answer/inject.js";
import { planTask } from "../../answer/plan/text-plan.js";
import { runExclusive } from "../../answer/run-exclusive.js";
import { refused } from "../../prompts/refused.js";
import { findComposer, isCommand } from "../../detection/composer.js";
import { detectState } from "../../detection/states.js";
import { openDriver, type DriverParts } from "./open-driver.js";

export interface TaskInputOptions extends DriverParts {
  /** All code that writes uses this object to take turns. */
  readonly turn: object;
}

export class TerminalTaskInput implements TaskInput {
  readonly #options: TaskInputOptions;
  readonly #port: TerminalPort;

  constructor(options: TaskInputOptions) {
    this.#options = options;
    // Above a dialog the person's own text may be drawn like the input box, so no Enter is written there.
    const detect = (view: View) => (this.#isAsking() ? null : findComposer(options.adapter, view));
    this.#port = openDriver(options, { detect });
  }

  /** Never throws for anything the terminal does; see `injectPlanned`. */
  submit(text: string, gate: InjectionGate, halt?: AbortSignal): Promise<InjectionResult> {
    return runExclusive(this.#options.turn, () => this.#submitNow(text, gate, halt));
  }

  async #submitNow(text: string, gate: InjectionGate, halt?: AbortSignal): Promise<InjectionResult> {
    const { terminal, adapter, screen, keys, foregroundGroup } = this.#options;
    if (!terminal.alive) return refused(createRejection("session_gone"), false);
    if (adapter.composer === null) return refused(createRejection("no_composer"), false);
    if (isCommand(adapter, text)) return refused(createRejection("composer_command"), false);
    if (!this.#isIdle()) return refused(createRejection("not_idle"), false);
    const composer = findComposer(adapter, screen.view());
    if (composer === null) return refused(createRejection("not_idle"), false);
    return injectPlanned(this.#port, composer, (live, view) => planTask(live, view, text), gate, {
      raisedGroup: foregroundGroup(),
      halt,
      isCurrent: () => this.#isIdle(),
      onBusy: (busy, touched) => (busy ? keys.hold() : keys.release(touched)),
    });
  }

  /** Whether no prompt is open, drawn or not, and the tool waits for its next task. */
  #isIdle(): boolean {
    const { detector, adapter, screen } = this.#options;
    if (this.#isAsking() || detector.toolState !== "idle") return false;
    // The tool's own reports usually come late: a picture of work counts at once.
    return detectState(adapter, screen.view(), {}) === "idle";
  }

  #isAsking(): boolean {
    const { prompts, detector } = this.#options;
    return prompts.isAsking || detector.candidateNow() !== null;
  }
}
