/**
 * The sessions that an agent started, each in its own terminal. A crashed or idle one is started again if its program's file says so
 * (`lifecycle.restart_on`); all end with this process.
 */
import type { Cancel, Clock } from "../model/clock.js";
import { AtlasBridgeError } from "../model/errors.js";
import type { ListedConsole } from "../wire/calls/agent-calls.js";
import type { ProgramFile } from "../worker/adapter-format/program/program-file.js";
import type { TerminalExit } from "../worker/process/terminal.js";

type Occasion = ProgramFile["lifecycle"]["restart_on"][number];

export interface StartedRun {
  readonly alive: boolean;
  readonly exited: Promise<TerminalExit>;
  kill(signal: NodeJS.Signals): unknown;
  /** The screen's text in one line. */
  describeScreen(): string;
}

export interface OwnSessionsOptions {
  readonly clock: Clock;
  /** Asks the hub. Rejects where that program may not be started now. */
  readonly admit: (program: string, args: readonly string[]) => Promise<unknown>;
  readonly open: (label: string, command: readonly string[]) => Promise<StartedRun>;
  readonly list: () => Promise<readonly ListedConsole[]>;
  readonly createLabel: () => string;
  /** When that program is to be started again. */
  readonly findRestarts: (program: string) => Promise<readonly Occasion[]>;
}

interface OwnSession {
  readonly run: StartedRun;
  readonly program: string;
  readonly label: string;
  readonly restartOn: readonly Occasion[];
  readonly restarts: number;
  stopIdle: Cancel;
}

/** Ten times the usual start. */
const START_LIMIT_MS = 30_000;
const LOOK_EVERY_MS = 100;
/** After this time the program's state is of no use to the agent. */
export const IDLE_MS = 3_600_000;
/** A program that still crashes will not run. */
export const RESTARTS_MAX = 3;
/** A program that must end has its own grace period, and three seconds after it. */
const END_LIMIT_MS = 5_000;
/** Signals of a crash: SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV, SIGSYS. */
const CRASHES = [4, 5, 6, 7, 8, 9, 11, 31];

export class OwnSessions {
  readonly #options: OwnSessionsOptions;
  readonly #sessions = new Map<string, OwnSession>();
  readonly #successors = new Map<string, string>();
  #isEnding = false;

  constructor(options: OwnSessionsOptions) {
    this.#options = options;
  }

  /** Resolves at the program's first prompt. Errors: why it did not start. */
  async start(program: string, args: readonly string[]): Promise<ListedConsole> {
    // Arguments may have effects that were allowed only once.
    const restartOn = args.length > 0 ? [] : await this.#options.findRestarts(program);
    return this.#start({ program, restartOn, restarts: 0, label: this.#options.createLabel() }, args);
  }

  noteUse(consoleId: string): void {
    const own = this.#sessions.get(consoleId);
    if (own) this.#watchIdleness(consoleId, own);
  }

  findSuccessor(consoleId: string): string | null {
    const next = this.#successors.get(consoleId);
    return next === undefined ? null : (this.findSuccessor(next) ?? next);
  }

  /** Resolves when all have ended, or after five seconds. */
  async end(): Promise<void> {
    this.#isEnding = true;
    const runs = [...this.#sessions.values()].map(({ run, stopIdle }) => {
      stopIdle();
      run.kill("SIGTERM");
      return run.exited;
    });
    if (runs.length === 0) return;
    let stop: Cancel = () => undefined;
    const limit = new Promise<void>((resolve) => (stop = this.#options.clock.after(END_LIMIT_MS, resolve)));
    await Promise.race([Promise.all(runs), limit]);
    stop();
  }

  async #start(
    wanted: Pick<OwnSession, "program" | "restartOn" | "restarts" | "label">,
    args: readonly string[],
  ): Promise<ListedConsole> {
    const { program, label } = wanted;
    const admit = (): Promise<unknown> => this.#options.admit(program, args);
    // A person may have taken a long time to answer, or the former session has run for hours.
    await admit();
    const run = await this.#options.open(label, [program, ...args]);
    const found = await this.#waitFor(run, label, admit).catch((error: unknown) => {
      run.kill("SIGHUP");
      throw error;
    });
    const own: OwnSession = { ...wanted, run, stopIdle: () => undefined };
    this.#sessions.set(found.consoleId, own);
    this.#watchIdleness(found.consoleId, own);
    void run.exited.then((exit) => this.#onExit(found.consoleId, own, exit));
    return found;
  }

  async #waitFor(run: StartedRun, label: string, admit: () => Promise<unknown>): Promise<ListedConsole> {
    const { clock, list } = this.#options;
    const end = clock.monotonic() + START_LIMIT_MS;
    while (run.alive && clock.monotonic() < end) {
      const found = (await list()).find((each) => each.label === label && each.status?.ready !== false);
      if (found) return found;
      // The hub does not list a session that may no longer be started.
      await admit().catch(explainRefusal);
      await new Promise<void>((resolve) => void clock.after(LOOK_EVERY_MS, resolve));
    }
    throw new Error(`it showed no prompt, so it is no session: ${run.describeScreen()}`);
  }

  #watchIdleness(consoleId: string, own: OwnSession): void {
    own.stopIdle();
    if (!own.restartOn.includes("idle_timeout")) return;
    own.stopIdle = this.#options.clock.after(IDLE_MS, () => {
      this.#sessions.delete(consoleId);
      own.run.kill("SIGTERM");
      void own.run.exited.then(() => this.#startAgain(consoleId, own, 0));
    });
  }

  #onExit(consoleId: string, own: OwnSession, { exitCode, signal }: TerminalExit): void {
    own.stopIdle();
    // It was ended on purpose.
    if (!this.#sessions.delete(consoleId)) return;
    const hasCrashed = CRASHES.includes(signal ?? (exitCode ?? 0) - 128);
    if (hasCrashed && own.restartOn.includes("crash") && own.restarts < RESTARTS_MAX)
      this.#startAgain(consoleId, own, own.restarts + 1);
  }

  /** If that fails, the agent finds no session. */
  #startAgain(consoleId: string, { program, restartOn }: OwnSession, restarts: number): void {
    if (this.#isEnding) return;
    const wanted = { program, restartOn, restarts, label: this.#options.createLabel() };
    void this.#start(wanted, []).then(
      (found) => this.#successors.set(consoleId, found.consoleId),
      () => undefined,
    );
  }
}

/** The hub's own words say that nothing was started. */
function explainRefusal(cause: unknown): never {
  if (!(cause instanceof AtlasBridgeError) || cause.code !== "ATB_HUB_REFUSED") throw cause;
  throw new Error(
    "it was ended before its first prompt: it may no longer be started; start_session says why",
    { cause },
  );
}
