/**
 * A live shell, interpreter or debugger that a person shares with others. Commands are typed one at a time, only at the program's own
 * prompt, never into a line that the person has begun, and never into something that the program started.
 */
import { BracketedPaste } from "./output/bracketed-paste.js";
import type { BetweenCommands } from "./output/between-commands.js";
import {
  buildRefusal,
  buildResult,
  type CommandResult,
  type CommandState,
  type CurrentState,
  type ResultNotes,
} from "./output/command-result.js";
import type { Changes, LineTyper } from "./line-typer.js";
import { AwaitedResult } from "./awaited-result.js";
import { CommandRun } from "./output/command-run.js";
import { Halt } from "./halt.js";
import type { BegunLine } from "./prompt/begun-line.js";
import type { ChangedPrompt } from "./prompt/changed-prompt.js";
import type { KeyTaking } from "./prompt/key-taking.js";
import type { MarkParser, PromptMark } from "./prompt/mark-parser.js";
import type { ModeDetector } from "./prompt/mode-detector.js";
import { isInDirectory, planInput, type InputPlan } from "./input/plan-input.js";
import {
  endProgram,
  pressKey,
  typeForRun,
  type ControlledProgram,
  type MeantRun,
  type SignalKey,
} from "./program-controls.js";
import { readCaptures, readLevel } from "./prompt/prompt-captures.js";
import type { PromptGate } from "./prompt/prompt-gate.js";
import type { PromptWatch, Phase } from "./prompt/prompt-watch.js";
import type { Readiness } from "./readiness.js";
import type { ReportedState } from "./prompt/reported-state.js";
import type { ProgramSessionOptions, RunOptions } from "./session-options.js";
import { createParts } from "./session-parts.js";

const END_OF_FILE = 4;

export class ProgramSession {
  /** The marks carry a secret of the session, so no output can imitate them. */
  readonly isProven: boolean;
  readonly #options: ProgramSessionOptions;
  readonly #parser: MarkParser;
  readonly #modes: ModeDetector;
  readonly #watch: PromptWatch;
  readonly #gate: PromptGate;
  readonly #changed: ChangedPrompt;
  readonly #between: BetweenCommands;
  readonly #changes: Changes;
  readonly #typer: LineTyper;
  readonly #readiness: Readiness;
  readonly #reported: ReportedState;
  readonly #paste = new BracketedPaste();
  readonly #halt = new Halt();
  readonly #begun: BegunLine;
  readonly #keyTaking: KeyTaking;
  readonly #place: ControlledProgram;
  #run: CommandRun | null = null;
  readonly #result: AwaitedResult;
  #count = 0;

  constructor(options: ProgramSessionOptions) {
    this.#options = options;
    this.#result = new AwaitedResult(options.clock);
    const parts = createParts(options, {
      onPhase: (phase) => {
        if (phase === "prompt" && this.#run === null) this.#modes.updateUnseen(this.#watch.promptLine);
        this.#changes.notify();
      },
      onTyping: (run) => {
        this.#run = run;
        this.#begun.clear();
      },
    });
    this.isProven = parts.isProven;
    this.#parser = parts.parser;
    this.#modes = parts.modes;
    this.#reported = parts.reported;
    this.#between = parts.between;
    this.#changes = parts.changes;
    this.#begun = parts.begun;
    this.#keyTaking = parts.keyTaking;
    this.#place = parts.place;
    this.#watch = parts.watch;
    this.#gate = parts.gate;
    this.#changed = parts.changed;
    this.#typer = parts.typer;
    this.#readiness = parts.readiness;
    const { port } = options;
    port.onData((chunk) => this.#onData(chunk));
    port.onTyped((bytes) => this.#onTyped(bytes));
    void port.terminal.exited.then(() => this.#watch.end());
  }

  get phase(): Phase {
    return this.#watch.phase;
  }

  /** The running command and the end of its output so far; null if there is none. */
  get running(): { readonly id: string; readonly latest: string } | null {
    return this.#run && { id: this.#run.id, latest: this.#run.peek().text };
  }

  get pending(): Promise<CommandResult> | null {
    return this.#result.pending;
  }

  get forgedMarks(): number {
    return this.#parser.forged;
  }

  awaitReady(withinMs: number): Promise<string | null> {
    return this.#readiness.wait(withinMs);
  }

  /** Runs one command; see `CommandResult`. It is refused while an earlier one is still running. */
  async run(command: string, { timeoutMs, directory }: RunOptions): Promise<CommandResult> {
    const { clock, read, folder, createGuid, port } = this.#options;
    if (this.pending !== null)
      return this.#refuse("another command is still running; wait for it, or interrupt it");
    const there = directory === this.#reported.cwd ? undefined : directory;
    const plan = planInput(command, read.program, { folder, guid: createGuid(), directory: there });
    if (typeof plan === "string") return this.#refuse(plan);
    this.#count += 1;
    const at = { size: () => port.size(), startedAt: clock.monotonic() };
    const takeBetween = (): string => this.#takeBetween();
    const run = new CommandRun({
      id: `c${this.#count}`,
      program: read.program,
      folder,
      takeBetween,
      paste: this.#paste,
      ...at,
    });
    const done = this.#execute(run, plan, timeoutMs);
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
    const isAtPrompt = this.#watch.phase === "prompt";
    const options = { isHeld: this.#run !== null || this.#gate.isHeld, halt: this.#halt.signal };
    const problem = await pressKey(this.#place, key, { ...options, ...this.#meantRun });
    if (problem === null && isAtPrompt) this.#begun.clear();
    if (problem === null && this.#run) this.#run.isInterrupted ||= key === "interrupt";
    return problem;
  }

  /** Types a line for the running command, such as an answer. Resolves with why it was not typed, or null. */
  sendInput(text: string): Promise<string | null> {
    return typeForRun(this.#place, text, { ...this.#meantRun, halt: this.#halt.signal });
  }

  /** Cancels everything that is not typed yet, with a reason. Typed commands continue. */
  halt(reason: string): void {
    this.#halt.order(reason);
    this.#changes.notify();
  }

  /** Ends the program as its file says. `signal` is sent first if it is not at its prompt. */
  async shutDown(signal: NodeJS.Signals | null = null): Promise<void> {
    const isFree = (await this.#gate.check()) === null;
    return endProgram(this.#place, { lineEnding: this.#typer.lineEnding, isFree, signal });
  }

  async #execute(run: CommandRun, plan: InputPlan, timeoutMs: number): Promise<CommandResult> {
    let note = "";
    const { cwdReports } = this.#reported;
    const halt = this.#halt.signal;
    for (const [at, line] of plan.lines.entries()) {
      const file = at === plan.lines.length - 1 ? plan.file : null;
      const problem = run.isInterrupted
        ? "an interrupt was sent"
        : await this.#typer.type(run, line, { isRest: at > 0, file, timeoutMs, halt });
      if (problem !== null && at === 0) return this.#refuse(problem);
      if (problem !== null) {
        note = `only ${at} of ${plan.lines.length} lines were typed: ${problem}`;
        break;
      }
      await this.#typer.awaitPrompt(run);
      if (this.#watch.phase === "ended") break;
      if (at > 0 || plan.directory === null || this.#watch.phase !== "prompt") continue;
      const reported = this.#reported.cwdReports > cwdReports ? this.#reported.cwd : null;
      const isThere = isInDirectory(plan.directory, run.exitCode, reported);
      if (isThere === false) {
        note = "only the change of its directory was typed, which failed";
        break;
      }
      if (isThere === null) note = `whether it is in ${plan.directory} now, the program does not tell`;
      run.forget();
    }
    const left = await this.#typer.escape(run, plan.lines, halt);
    const altered = plan.file?.remove() ?? "";
    this.#modes.update(this.#watch.promptLine, run.collect().text.split("\n"));
    this.#run = null;
    const state = this.#watch.phase === "ended" ? "ended" : "finished";
    if (this.#between.waitsForQuiet && !this.#between.isMerged) run.noteOutside(this.#takeBetween());
    const cwdReported = this.#reported.cwdReports > cwdReports;
    if (run.isUntold && !run.isRefused) this.#reported.cwd = null;
    return this.#report(run, state, { note: altered || note || left, outOfBand: run.outOfBand, cwdReported });
  }

  get #meantRun(): MeantRun {
    const run = this.#run;
    return { gate: this.#gate, begun: this.#begun, isRunning: () => run !== null && this.#run === run };
  }

  #takeBetween(): string {
    return this.#between.take(this.#options.port.size(), this.#watch.promptLine ?? "");
  }

  async #await(run: CommandRun, done: Promise<CommandResult>, timeoutMs: number): Promise<CommandResult> {
    const result = await this.#result.wait(done, timeoutMs);
    if (result !== null) return result;
    // If it was not typed at all, `#execute` reports that at the same moment.
    return this.#run === run
      ? this.#report(run, "running", { note: this.#changed.describe(), outOfBand: "", cwdReported: false })
      : done;
  }

  #report(run: CommandRun, state: CommandState, rest: ResultNotes): CommandResult {
    const durationMs = Math.round(this.#options.clock.monotonic() - run.startedAt);
    return buildResult(run, state, { ...rest, ...this.current, durationMs });
  }

  #refuse(note: string): CommandResult {
    return buildRefusal(note, this.current);
  }

  get current(): CurrentState {
    const { current } = this.#modes;
    const { program } = this.#options.read;
    const { promptLine } = this.#watch;
    return {
      cwd: this.#reported.cwd,
      mode: current?.name ?? null,
      level: current?.level ?? readLevel(program, promptLine),
      captures: readCaptures(program, promptLine),
      isProven: this.isProven,
    };
  }

  #onData(chunk: Uint8Array): void {
    for (const piece of this.#parser.push(chunk)) {
      if (piece.kind === "mark") this.#onMark(piece.mark);
      else {
        this.#paste.push(piece.bytes);
        const isOpen = this.#run?.isOpen === true;
        const isLate = isOpen && this.#watch.phase === "prompt" && this.#run?.isFinished === true;
        if (isOpen && !(isLate && this.#between.waitsForQuiet)) this.#run?.onOutput(piece.bytes, isLate);
        else if (this.#watch.phase === "prompt") this.#between.push(piece.bytes);
        this.#typer.noteOutput();
        this.#changed.noteOutput();
        this.#watch.onOutput(piece.bytes);
      }
    }
  }

  #onMark(mark: PromptMark): void {
    if (mark.kind === "finished") this.#typer.noteFinishMark();
    this.#reported.onMark(mark);
    // The prompt was redrawn over the typed line, so it is not the prompt after it.
    if (this.#run?.isRedrawn === true) this.#run.restart(mark);
    else {
      this.#run?.onMark(mark);
      this.#watch.onMark(mark);
    }
    this.#changes.notify();
  }

  #onTyped(bytes: Uint8Array): void {
    this.#between.forget();
    const end = this.#begun.onTyped(bytes);
    // The person types for something that is running.
    if (this.#watch.phase !== "prompt") {
      this.#run?.noteTyped();
      this.#keyTaking.note();
    } else if (end === "sent") this.#watch.noteSubmitted();
    else if (end === "dropped" || bytes.includes(END_OF_FILE)) this.#watch.noteBreak(end === "dropped");
  }
}
