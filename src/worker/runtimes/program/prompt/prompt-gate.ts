/** Decides whether a line may be typed now: only at the program's own prompt, and never into a line that a person has begun. */
import type { Clock } from "../../../../model/clock.js";
import type { ProgramFile } from "../../../adapter-format/program/program-file.js";
import type { Changes } from "../changes.js";
import { findHaltReason } from "../halt.js";
import { findAlteration } from "../input/input-line.js";
import type { ProgramPort } from "../program-port.js";
import type { TtySignals } from "../../../process/facts/tty-facts.js";
import type { PartialLine } from "./partial-line.js";
import type { ChangedPrompt } from "./changed-prompt.js";
import type { PromptWatch } from "./prompt-watch.js";
import type { TerminalOwner } from "./terminal-owner.js";

const TYPING = "somebody is typing at the terminal";
const CHANGED = "its prompt was changed, and carries our marks no longer: start the session again";
/** Typed keys are echoed within this time; until then the content of the line is unknown. */
const ECHO_MS = 150;
/** How often to check again: a person may erase their line. */
const LOOK_AGAIN_MS = 50;
/** Limits the reading of a flood; a program that prints one is not at its prompt. */
const READS_MAX = 16;

export interface PromptGateOptions {
  readonly port: ProgramPort;
  readonly clock: Clock;
  readonly changes: Changes;
  readonly watch: PromptWatch;
  readonly owner: Pick<TerminalOwner, "learn" | "isElsewhere">;
  readonly partialLine: Pick<PartialLine, "hasHiddenKey" | "stands">;
  readonly changed: Pick<ChangedPrompt, "isFound">;
  readonly capabilities: ProgramFile["capabilities"];
  /** Marks with a secret prove the prompt. Otherwise the terminal's settings are checked, too. */
  readonly isProven: boolean;
}

export class PromptGate {
  readonly #options: PromptGateOptions;
  /** The program's file says that typed keys cannot be seen, so any key may be in the line. */
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
   * Resolves with null once a line may be typed in this same turn, or with why it may not. `isRest`: the line
   * may also be typed where the program asks for the rest of our command.
   */
  async waitUntilFree(
    withinMs: number,
    { halt, isRest = false }: { readonly halt?: AbortSignal; readonly isRest?: boolean } = {},
  ): Promise<string | null> {
    const { clock, port, changes } = this.#options;
    const end = clock.monotonic() + withinMs;
    for (;;) {
      const problem = await this.check(isRest);
      const halted = halt ? findHaltReason(halt) : null;
      if (halted !== null || problem === null) return halted;
      const left = end - clock.monotonic();
      if (left <= 0 || !port.terminal.alive) return problem;
      await changes.wait(Math.min(left, this.#lookAgainMs));
    }
  }

  async check(isRest = false): Promise<string | null> {
    const { watch, port } = this.#options;
    this.readPending();
    if (isRest && watch.phase === "continuation") return this.hasPartialRest ? TYPING : null;
    // Until the program reads, a line that was begun before its prompt is not drawn.
    const isBusy = watch.phase === "prompt" && watch.hasTyped && port.findReaders().blocked === false;
    // The program may have printed just before it was seen to wait.
    if (watch.settleCancelKey() || watch.hasTyped) this.readPending();
    const problem = this.#findProblem();
    if (problem === null && isBusy) return TYPING;
    return problem ?? (await this.#findUnproven());
  }

  get hasPartialRest(): boolean {
    const { partialLine, watch } = this.#options;
    return watch.phase === "continuation" && (partialLine.stands(false) || partialLine.hasHiddenKey);
  }

  /** Output that is not read yet may show that the program is elsewhere. */
  readPending(): void {
    const { terminal } = this.#options.port;
    for (let reads = 0; reads < READS_MAX && terminal.readNow(); reads++);
  }

  /** Returns why `text` may not be typed for the running command, or null. `begun`: the line of the person. */
  async checkInput(partialLine: Pick<PartialLine, "stands">, text = ""): Promise<string | null> {
    const tty = await this.#options.port.readTty();
    this.readPending();
    if (partialLine.stands(tty.canonical)) return "somebody has begun a line at the terminal";
    return findSecretReader(tty) ?? findAlteration(text, tty);
  }

  /** An answer of the terminal may be at the prompt: if a command does not read the answer to its query, its shell takes it for keys. */
  get hasReport(): boolean {
    const { watch, port, clock } = this.#options;
    if (watch.phase !== "prompt" || watch.hasTyped || port.reportedAt() <= watch.submittedAt) return false;
    return clock.monotonic() - port.reportedAt() < ECHO_MS || this.#isUnseen || watch.input.mayHoldText;
  }

  /** The text at the prompt was typed by nobody: it is an answer of the terminal, or an invisible key. */
  get isHeld(): boolean {
    const { partialLine, watch, port, clock } = this.#options;
    if (this.hasReport) return true;
    const isFresh = clock.monotonic() - port.typedAt() < ECHO_MS;
    return partialLine.hasHiddenKey && !isFresh && !this.#isUnseen && watch.input.isEmpty;
  }

  #findProblem(): string | null {
    const { watch, port, clock, partialLine, owner, changed } = this.#options;
    if (!port.terminal.alive || watch.phase === "ended") return "the program has ended";
    if (watch.phase === "starting") return "the program has not shown its first prompt";
    if (watch.phase !== "prompt") return changed.isFound ? CHANGED : "the program is not at its prompt";
    owner.learn();
    if (owner.isElsewhere) return "something that it started has the terminal";
    if (this.hasReport)
      return "an answer of the terminal to a program may stand in the line; interrupt it, or press Ctrl-C there";
    if (partialLine.hasHiddenKey)
      return "a key was pressed at the terminal that may change what is typed next, until Enter or Ctrl-C there";
    if (watch.isCancelling) return TYPING;
    // It may be drawn only after the prompt.
    if (!watch.hasTyped)
      return watch.holdsRefused ? "a line that the program refused stands at its prompt" : null;
    // A line that was begun earlier is drawn after a prompt that is new or redrawn.
    const isFresh = clock.monotonic() - Math.max(port.typedAt(), watch.promptAt) < ECHO_MS;
    return isFresh || this.#isUnseen || !watch.input.isEmpty ? TYPING : null;
  }

  /** Any program can draw a prompt without marks. */
  async #findUnproven(): Promise<string | null> {
    if (this.#options.isProven) return null;
    return findSecretReader(await this.#options.port.readTty()) ?? this.#findProblem();
  }
}

/** A program that reads without an echo may be asking for a password. */
function findSecretReader({ canonical, echo }: TtySignals): string | null {
  return canonical === true && echo === false
    ? "it reads without showing what is typed, as for a password"
    : null;
}
