/** Decides whether a line may be typed now: only at the program's own prompt, and never into a line that the person has begun. */
import type { Clock } from "../../../../model/clock.js";
import type { ProgramFile } from "../../../adapter-format/program/program-file.js";
import { findHalt } from "../halt.js";
import { findAlteration } from "../input/input-line.js";
import type { ProgramPort } from "../program-port.js";
import type { TtySignals } from "../../../process/facts/tty-facts.js";
import type { BegunLine } from "./begun-line.js";
import type { ChangedPrompt } from "./changed-prompt.js";
import type { PromptWatch } from "./prompt-watch.js";
import type { TerminalOwner } from "./terminal-owner.js";

const TYPING = "somebody is typing at the terminal";
const CHANGED = "its prompt was changed, and carries our marks no longer: start the session again";
/** What was typed is echoed within this time; until then nobody knows what stands in the line. */
const ECHO_MS = 150;
/** Somebody who erases their line does not tell us. */
const LOOK_AGAIN_MS = 50;
/** A flood would never end; a program that prints one is not at its prompt. */
const READS_MAX = 16;

export interface PromptGateOptions {
  readonly port: ProgramPort;
  readonly clock: Clock;
  readonly watch: PromptWatch;
  readonly owner: Pick<TerminalOwner, "learn" | "isElsewhere">;
  readonly begun: Pick<BegunLine, "hasHiddenKey" | "stands">;
  readonly changed: Pick<ChangedPrompt, "isFound">;
  readonly capabilities: ProgramFile["capabilities"];
  /** Marks with a secret show the prompt. Otherwise the terminal's settings are looked at, too. */
  readonly isProven: boolean;
}

export class PromptGate {
  readonly #options: PromptGateOptions;
  /** Nothing shows what a person has typed, so whatever they typed may stand in the line. */
  readonly #isUnseen: boolean;
  readonly #lookAgainMs: number;

  constructor(options: PromptGateOptions) {
    this.#options = options;
    const { user_busy_detection: detection, user_busy_detection_params: params } = options.capabilities;
    this.#isUnseen = detection === "none";
    const polls = detection === "process_polling" ? params?.interval_ms : undefined;
    this.#lookAgainMs = Math.max(1, polls ?? LOOK_AGAIN_MS);
  }

  /**
   * Resolves with null once a line may be typed in this very turn, or why it may not. `onChange` calls back once. `isRest`: it may also go
   * where the program asks for the rest of a command of ours.
   */
  async waitUntilFree(
    withinMs: number,
    onChange: (callback: () => void) => void,
    { halt, isRest = false }: { readonly halt?: AbortSignal; readonly isRest?: boolean } = {},
  ): Promise<string | null> {
    const { clock, port } = this.#options;
    const end = clock.monotonic() + withinMs;
    for (;;) {
      const problem = await this.check(isRest);
      const halted = halt ? findHalt(halt) : null;
      if (halted !== null || problem === null) return halted;
      const left = end - clock.monotonic();
      if (left <= 0 || !port.terminal.alive) return problem;
      await new Promise<void>((resolve) => {
        const stop = clock.after(Math.min(left, this.#lookAgainMs), resolve);
        onChange(() => {
          stop();
          resolve();
        });
      });
    }
  }

  /** Why no line may be typed in this very turn, or null. */
  async check(isRest = false): Promise<string | null> {
    const { watch, port } = this.#options;
    this.readPending();
    if (isRest && watch.phase === "continuation") return this.hasBegunRest ? TYPING : null;
    // Until it reads, a line that was begun before its prompt is not drawn.
    const isBusy = watch.phase === "prompt" && watch.hasTyped && port.findReaders().blocked === false;
    // It may have printed just before it was seen to wait.
    if (watch.settleBreak() || watch.hasTyped) this.readPending();
    const problem = this.#findProblem();
    if (problem === null && isBusy) return TYPING;
    return problem ?? (await this.#findUnproven());
  }

  /** Somebody has begun a line since ours, where the program asks for the rest of a command. */
  get hasBegunRest(): boolean {
    const { begun, watch } = this.#options;
    return watch.phase === "continuation" && (begun.stands(false) || begun.hasHiddenKey);
  }

  /** What the program has printed until now may show that it is elsewhere. */
  readPending(): void {
    const { terminal } = this.#options.port;
    for (let reads = 0; reads < READS_MAX && terminal.readNow(); reads++);
  }

  /** Why `text` may not be typed for the command that runs, or null. `begun`: the line of the person at the terminal. */
  async checkInput(begun: Pick<BegunLine, "stands">, text = ""): Promise<string | null> {
    const tty = await this.#options.port.readTty();
    this.readPending();
    if (begun.stands(tty.canonical)) return "somebody has begun a line at the terminal";
    return findSecretReader(tty) ?? findAlteration(text, tty);
  }

  /**
   * Nobody has typed, but what the terminal has sent by itself may stand at the prompt: what a program asks and does not read, its shell
   * takes for keys.
   */
  get hasReport(): boolean {
    const { watch, port, clock } = this.#options;
    if (watch.phase !== "prompt" || watch.hasTyped || port.reportedAt() <= watch.submittedAt) return false;
    return clock.monotonic() - port.reportedAt() < ECHO_MS || this.#isUnseen || watch.standing.mayHoldText;
  }

  /** What stands at the prompt is nobody's line: an answer of the terminal, or a key that may change what is typed next. */
  get isHeld(): boolean {
    const { begun, watch, port, clock } = this.#options;
    if (this.hasReport) return true;
    const isFresh = clock.monotonic() - port.typedAt() < ECHO_MS;
    return begun.hasHiddenKey && !isFresh && !this.#isUnseen && watch.standing.isEmpty;
  }

  #findProblem(): string | null {
    const { watch, port, clock, begun, owner, changed } = this.#options;
    if (!port.terminal.alive || watch.phase === "ended") return "the program has ended";
    if (watch.phase === "starting") return "the program has not shown its first prompt";
    if (watch.phase !== "prompt") return changed.isFound ? CHANGED : "the program is not at its prompt";
    owner.learn();
    if (owner.isElsewhere) return "something that it started has the terminal";
    if (this.hasReport)
      return "an answer of the terminal to a program may stand in the line; interrupt it, or press Ctrl-C there";
    if (begun.hasHiddenKey)
      return "a key was pressed at the terminal that may change what is typed next, until Enter or Ctrl-C there";
    if (watch.isBreaking) return TYPING;
    // It may be drawn only after the prompt.
    if (!watch.hasTyped)
      return watch.holdsRefused ? "a line that the program refused stands at its prompt" : null;
    // A line that was begun is drawn behind a prompt that comes only now, or again.
    const isFresh = clock.monotonic() - Math.max(port.typedAt(), watch.promptAt) < ECHO_MS;
    return isFresh || this.#isUnseen || !watch.standing.isEmpty ? TYPING : null;
  }

  /** A prompt that is only drawn may be drawn by anything. */
  async #findUnproven(): Promise<string | null> {
    if (this.#options.isProven) return null;
    return findSecretReader(await this.#options.port.readTty()) ?? this.#findProblem();
  }
}

/** It reads without an echo, as for a password. */
function findSecretReader({ canonical, echo }: TtySignals): string | null {
  return canonical === true && echo === false
    ? "it reads without showing what is typed, as for a password"
    : null;
}
