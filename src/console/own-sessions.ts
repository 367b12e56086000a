/**
 * The sessions that an agent started: each runs in a terminal of its own, and they end with us. One that crashed, or that nobody used
 * for long, is started again where its program's file says so (`lifecycle.restart_on`).
 */
import type { Cancel, Clock } from "../model/clock.js";
import type { ListedConsole } from "../wire/calls/agent-calls.js";
import type { ProgramFile } from "../worker/adapter-format/program/program-file.js";
import type { TerminalExit } from "../worker/process/terminal.js";

type Occasion = ProgramFile["lifecycle"]["restart_on"][number];

/** A session that was started, in the terminal that it has for itself. */
export interface StartedRun {
  readonly alive: boolean;
  readonly exited: Promise<TerminalExit>;
  kill(signal: NodeJS.Signals): unknown;
  /** What its terminal shows, in one line. */
  describeScreen(): string;
}

export interface OwnSessionsOptions {
  readonly clock: Clock;
  /** Starts `atlasbridge run --console-for-agents` under that label. */
  readonly open: (label: string, command: readonly string[]) => StartedRun;
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

/** A program starts within a second or two, on a loaded machine ten times as long. */
const START_LIMIT_MS = 30_000;
const LOOK_EVERY_MS = 100;
/** Who comes back after this time has forgotten what the program still knows. */
export const IDLE_MS = 3_600_000;
/** What crashes again and again is not mended by another start. */
export const RESTARTS_MAX = 3;
/** A program that must end has its own grace period, and three seconds after it. */
const END_LIMIT_MS = 5_000;
/** SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV and SIGSYS end what a program did not end itself. */
const CRASHES = [4, 5, 6, 7, 8, 9, 11, 31];

export class OwnSessions {
  readonly #options: OwnSessionsOptions;
  readonly #sessions = new Map<string, OwnSession>();
  /** The sessions that were started in the place of others. */
  readonly #successors = new Map<string, string>();
  #isEnding = false;

  constructor(options: OwnSessionsOptions) {
    this.#options = options;
  }

  /** Resolves when its program shows its first prompt. Errors: why it did not start. */
  async start(program: string, args: readonly string[]): Promise<ListedConsole> {
    // A program with arguments may do something at its start, which was allowed once.
    const restartOn = args.length > 0 ? [] : await this.#options.findRestarts(program);
    return this.#start({ program, restartOn, restarts: 0, label: this.#options.createLabel() }, args);
  }

  /** Call when the agent uses the session. */
  noteUse(consoleId: string): void {
    const own = this.#sessions.get(consoleId);
    if (own) this.#watchIdleness(consoleId, own);
  }

  /** The session that was started in the place of that one, or null. */
  findSuccessor(consoleId: string): string | null {
    const next = this.#successors.get(consoleId);
    return next === undefined ? null : (this.findSuccessor(next) ?? next);
  }

  /** Ends all of them as their files say. Resolves when they have ended, or after five seconds. */
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
    const { open } = this.#options;
    const run = open(wanted.label, [wanted.program, ...args]);
    const found = await this.#waitFor(run, wanted.label);
    const own: OwnSession = { ...wanted, run, stopIdle: () => undefined };
    this.#sessions.set(found.consoleId, own);
    this.#watchIdleness(found.consoleId, own);
    void run.exited.then((exit) => this.#onExit(found.consoleId, own, exit));
    return found;
  }

  async #waitFor(run: StartedRun, label: string): Promise<ListedConsole> {
    const { clock, list } = this.#options;
    const end = clock.monotonic() + START_LIMIT_MS;
    while (run.alive && clock.monotonic() < end) {
      const found = (await list()).find((each) => each.label === label && each.status?.ready !== false);
      if (found) return found;
      await new Promise<void>((resolve) => void clock.after(LOOK_EVERY_MS, resolve));
    }
    run.kill("SIGHUP");
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
    // Not there any more: it was ended by us.
    if (!this.#sessions.delete(consoleId)) return;
    const hasCrashed = CRASHES.includes(signal ?? (exitCode ?? 0) - 128);
    if (hasCrashed && own.restartOn.includes("crash") && own.restarts < RESTARTS_MAX)
      this.#startAgain(consoleId, own, own.restarts + 1);
  }

  /** Where that fails the agent finds no session any more. */
  #startAgain(consoleId: string, { program, restartOn }: OwnSession, restarts: number): void {
    if (this.#isEnding) return;
    const wanted = { program, restartOn, restarts, label: this.#options.createLabel() };
    void this.#start(wanted, []).then(
      (found) => this.#successors.set(consoleId, found.consoleId),
      () => undefined,
    );
  }
}
