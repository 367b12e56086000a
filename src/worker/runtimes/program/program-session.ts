/**
 * A live shell, interpreter or debugger that a person shares with others. Commands are typed one at a time, only at the program's own
 * prompt, never into a line that the person has begun, and never into something that the program started.
 */
import { BracketedPaste } from "./output/bracketed-paste.js";
import {
  buildRefusal,
  buildResult,
  type CommandResult,
  type CommandState,
  type CurrentState,
  type ResultNotes,
} from "./output/command-result.js";
import { PendingResult } from "./pending-result.js";
import { CommandRun } from "./output/command-run.js";
import { Halt } from "./halt.js";
import type { PromptMark } from "./prompt/mark-parser.js";
import { isInDirectory, planInput, type InputPlan } from "./input/plan-input.js";
import { endProgram, pressKey, typeForRun, type TargetRun, type SignalKey } from "./program-controls.js";
import { readCaptures, readLevel } from "./prompt/prompt-captures.js";
import type { Phase } from "./prompt/prompt-watch.js";
import { createParts, type ProgramParts, type ProgramSessionOptions } from "./session-parts.js";

const END_OF_FILE = 4;

export interface RunOptions {
  /** How long the caller waits, including the time before the command is typed. The command itself continues. */
  readonly timeoutMs: number;
  /** The working directory for it; the program stays there afterwards. */
  readonly directory?: string | undefined;
  /** Typed only in this mode; null: the program has no modes. Absent: in any mode. */
  readonly mode?: string | null | undefined;
}

export class ProgramSession {
  /** The marks carry a secret of the session, so no output can imitate them. */
  readonly isProven: boolean;
  readonly #options: ProgramSessionOptions;
  readonly #parts: ProgramParts;
  readonly #paste = new BracketedPaste();
  readonly #halt = new Halt();
  #run: CommandRun | null = null;
  readonly #result: PendingResult;
  #count = 0;

  constructor(options: ProgramSessionOptions) {
    this.#options = options;
    this.#result = new PendingResult(options.clock);
    this.#parts = createParts(options, {
      onPhase: (phase) => {
        if (phase === "prompt" && this.#run === null)
          this.#parts.modes.updateUnseen(this.#parts.watch.promptLine);
        this.#parts.changes.notify();
      },
      onTyping: (run) => {
        this.#run = run;
        this.#parts.partialLine.clear();
      },
    });
    this.isProven = this.#parts.isProven;
    const { port } = options;
    port.onData((chunk) => this.#onData(chunk));
    port.onTyped((bytes) => this.#onTyped(bytes));
    void port.terminal.exited.then(() => this.#parts.watch.end());
  }

  get phase(): Phase {
    return this.#parts.watch.phase;
  }

  get running(): { readonly id: string; readonly latest: string } | null {
    return this.#run && { id: this.#run.id, latest: this.#run.peek().text };
  }

  get pending(): Promise<CommandResult> | null {
    return this.#result.pending;
  }

  awaitReady(withinMs: number): Promise<string | null> {
    return this.#parts.readiness.wait(withinMs);
  }

  /** Runs one command; see `CommandResult`. It is refused while an earlier one is still running. */
  async run(command: string, { timeoutMs, directory, mode }: RunOptions): Promise<CommandResult> {
    const { clock, read, folder, createGuid, port } = this.#options;
    if (this.pending !== null)
      return this.#refuse("another command is still running; wait for it, or interrupt it");
    const there = directory === this.#parts.reported.cwd ? undefined : directory;
    const plan = planInput(command, read.program, { folder, guid: createGuid(), directory: there });
    if (typeof plan === "string") return this.#refuse(plan);
    this.#count += 1;
    const run = new CommandRun({
      id: `c${this.#count}`,
      program: read.program,
      folder,
      takeIdleOutput: () => this.#takeIdleOutput(),
      paste: this.#paste,
      size: () => port.size(),
      startedAt: clock.monotonic(),
    });
    const done = this.#execute(run, plan, { timeoutMs, mode });
    this.#result.begin(done);
    return this.#await(run, done, timeoutMs);
  }

  /** Continues to wait for the running command, or returns a result that nobody has waited for; null if there is neither. */
  async wait({ timeoutMs }: RunOptions): Promise<CommandResult | null> {
    const { pending } = this;
    if (pending === null) return this.#result.take();
    // Without a run, its result is set within this turn.
    return this.#run ? this.#await(this.#run, pending, timeoutMs) : this.#result.wait(pending, timeoutMs);
  }

  async press(key: SignalKey): Promise<string | null> {
    const { watch, gate, partialLine, place } = this.#parts;
    const isAtPrompt = watch.phase === "prompt";
    const options = { isHeld: this.#run !== null || gate.isHeld, halt: this.#halt.signal };
    const problem = await pressKey(place, key, { ...options, ...this.#targetRun });
    if (problem === null && isAtPrompt) partialLine.clear();
    if (problem === null && this.#run) this.#run.isInterrupted ||= key === "interrupt";
    return problem;
  }

  /** Types a line for the running command, such as an answer. Resolves with why it was not typed, or null. */
  sendInput(text: string): Promise<string | null> {
    return typeForRun(this.#parts.place, text, { ...this.#targetRun, halt: this.#halt.signal });
  }

  /** Cancels everything that is not typed yet, with a reason. Typed commands continue. */
  halt(reason: string): void {
    this.#halt.order(reason);
    this.#parts.changes.notify();
  }

  async shutDown(signal: NodeJS.Signals | null = null): Promise<void> {
    const isFree = (await this.#parts.gate.check()) === null;
    return endProgram(this.#parts.place, { lineEnding: this.#parts.typer.lineEnding, isFree, signal });
  }

  async #execute(
    run: CommandRun,
    plan: InputPlan,
    { timeoutMs, mode }: Omit<RunOptions, "directory">,
  ): Promise<CommandResult> {
    const { typer, watch, reported, idleOutput, modes } = this.#parts;
    let note = "";
    const { cwdReports } = reported;
    const halt = this.#halt.signal;
    const findMisfit = (): string | null =>
      mode === undefined || mode === this.current.mode
        ? null
        : `the program has left its mode ${mode}, in which this was offered`;
    for (const [at, line] of plan.lines.entries()) {
      const file = at === plan.lines.length - 1 ? plan.file : null;
      const problem = run.isInterrupted
        ? "an interrupt was sent"
        : await typer.type(run, line, {
            ...{ isRest: at > 0, file, timeoutMs, halt },
            ...(at === 0 && { findMisfit }),
          });
      if (problem !== null && at === 0) return this.#refuse(problem);
      if (problem !== null) {
        note = `only ${at} of ${plan.lines.length} lines were typed: ${problem}`;
        break;
      }
      await typer.awaitPrompt(run);
      if (watch.phase === "ended") break;
      if (at > 0 || plan.directory === null || watch.phase !== "prompt") continue;
      const cwd = reported.cwdReports > cwdReports ? reported.cwd : null;
      const isThere = isInDirectory(plan.directory, run.exitCode, cwd);
      if (isThere === false) {
        note = "only the change of its directory was typed, which failed";
        break;
      }
      if (isThere === null) note = `whether it is in ${plan.directory} now, the program does not tell`;
      run.forget();
    }
    const left = await typer.escape(run, plan.lines, halt);
    const altered = plan.file?.remove() ?? "";
    modes.update(watch.promptLine, run.collect().text.split("\n"));
    this.#run = null;
    const state = watch.phase === "ended" ? "ended" : "finished";
    if (idleOutput.waitsForQuiet && !idleOutput.isMerged) run.noteOutside(this.#takeIdleOutput());
    const cwdReported = reported.cwdReports > cwdReports;
    if (run.hasUnmarkedEnd && !run.isRefused) reported.cwd = null;
    return this.#report(run, state, { note: altered || note || left, outOfBand: run.outOfBand, cwdReported });
  }

  get #targetRun(): TargetRun {
    const run = this.#run;
    const { gate, partialLine } = this.#parts;
    return { gate, partialLine, isRunning: () => run !== null && this.#run === run };
  }

  #takeIdleOutput(): string {
    return this.#parts.idleOutput.take(this.#options.port.size(), this.#parts.watch.promptLine ?? "");
  }

  async #await(run: CommandRun, done: Promise<CommandResult>, timeoutMs: number): Promise<CommandResult> {
    const result = await this.#result.wait(done, timeoutMs);
    if (result !== null) return result;
    // If it was not typed at all, `#execute` reports that at the same moment.
    if (this.#run !== run) return done;
    const note = this.#parts.changed.describe();
    return this.#report(run, "running", { note, outOfBand: "", cwdReported: false });
  }

  #report(run: CommandRun, state: CommandState, rest: ResultNotes): CommandResult {
    const durationMs = Math.round(this.#options.clock.monotonic() - run.startedAt);
    return buildResult(run, state, { ...rest, ...this.current, durationMs });
  }

  #refuse(note: string): CommandResult {
    return buildRefusal(note, this.current);
  }

  get current(): CurrentState {
    const { current } = this.#parts.modes;
    const { program } = this.#options.read;
    const { promptLine } = this.#parts.watch;
    return {
      cwd: this.#parts.reported.cwd,
      mode: current?.name ?? null,
      level: current?.level ?? readLevel(program, promptLine),
      captures: readCaptures(program, promptLine),
      isProven: this.isProven,
    };
  }

  #onData(chunk: Uint8Array): void {
    const { parser, watch, idleOutput, typer, changed } = this.#parts;
    for (const piece of parser.push(chunk)) {
      if (piece.kind === "mark") this.#onMark(piece.mark);
      else {
        this.#paste.push(piece.bytes);
        const isOpen = this.#run?.isOpen === true;
        const isLate = isOpen && watch.phase === "prompt" && this.#run?.isFinished === true;
        if (isOpen && !(isLate && idleOutput.waitsForQuiet)) this.#run?.onOutput(piece.bytes, isLate);
        else if (watch.phase === "prompt") idleOutput.push(piece.bytes);
        typer.noteOutput();
        changed.noteOutput();
        watch.onOutput(piece.bytes);
      }
    }
  }

  #onMark(mark: PromptMark): void {
    const { typer, reported, watch, changes } = this.#parts;
    if (mark.kind === "finished") typer.noteFinishMark();
    reported.onMark(mark);
    // The prompt was redrawn over the typed line, so it is not the prompt after it.
    if (this.#run?.isRedrawn === true) this.#run.restart(mark);
    else {
      this.#run?.onMark(mark);
      watch.onMark(mark);
    }
    changes.notify();
  }

  #onTyped(bytes: Uint8Array): void {
    const { idleOutput, partialLine, watch, hiddenKeyWatch } = this.#parts;
    idleOutput.forget();
    const end = partialLine.onTyped(bytes);
    // The person types for something that is running.
    if (watch.phase !== "prompt") {
      this.#run?.noteTyped();
      hiddenKeyWatch.note();
    } else if (end === "sent") watch.noteSubmitted();
    else if (end === "dropped" || bytes.includes(END_OF_FILE)) watch.noteCancelKey(end === "dropped");
  }
}
