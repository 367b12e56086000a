/** Our place among the jobs of the user's shell: which job has the terminal, and how we release it and stop. */
import { readFileSync } from "node:fs";
import type { Clock } from "../../model/clock.js";

/** The part of the process that is needed; a test replaces it with an emitter. */
export interface ProcessEvents {
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  emit(event: "SIGWINCH"): unknown;
}

export type StopSignal = "SIGTSTP" | "SIGTTOU";

/**
 * A stop takes effect before this much of our own time has passed. If it has passed, nobody could wake us (our shell is gone, or
 * the terminal began with us) and the kernel has dropped the signal, as it would for any program here.
 */
const STOP_TAKES_MS = 20;

/**
 * A shell that has just moved us to the background believes that we run: its `kill` then comes without the SIGCONT that a stopped
 * process needs to receive it. So we stop a little later, when nothing more is likely to come at once.
 */
const BACKGROUND_GRACE_MS = 100;

export interface OwnJobOptions {
  readonly events?: ProcessEvents;
  readonly clock: Clock;
  /** Sends a signal to our whole process group: a pipeline stops as one. */
  readonly signalGroup?: (signal: StopSignal) => void;
  readonly readStat?: () => string;
}

export class OwnJob {
  readonly #events: ProcessEvents;
  readonly #clock: Clock;
  readonly #signalGroup: (signal: StopSignal) => void;
  readonly #readStat: () => string;

  constructor({ events, clock, signalGroup, readStat }: OwnJobOptions) {
    this.#events = events ?? process;
    this.#clock = clock;
    this.#signalGroup = signalGroup ?? ((signal) => void process.kill(0, signal));
    this.#readStat = readStat ?? (() => readFileSync("/proc/self/stat", "utf8"));
  }

  /** True while another job has the terminal: a process that changes its mode then is stopped. False if the system does not report it. */
  get isInBackground(): boolean {
    try {
      const { group, foreground } = readGroups(this.#readStat());
      return foreground > 0 && group !== foreground;
    } catch {
      return false;
    }
  }

  /** Waits, while all signals are handled, before a stop in the background. */
  waitBeforeStop(): Promise<void> {
    return new Promise((resolve) => {
      const keep = setInterval(() => undefined, BACKGROUND_GRACE_MS);
      this.#clock.after(BACKGROUND_GRACE_MS, () =>
        // After the round of the event loop in which signals are delivered.
        setImmediate(() => {
          clearInterval(keep);
          resolve();
        }),
      );
    });
  }

  /** Stops us. Resolves true once we were continued, after all signals that came meanwhile were delivered; false if we were not stopped. */
  stop(signal: StopSignal): Promise<boolean> {
    return new Promise((resolve) => {
      let continued = false;
      // Before the tool runs nothing else keeps the process alive, and it would end as if it were done.
      const keep = setInterval(() => undefined, STOP_TAKES_MS);
      const finish = (): void => {
        clearInterval(keep);
        cancel();
        this.#events.off("SIGCONT", onContinue);
        resolve(continued);
      };
      // After the round of the event loop in which signals are delivered: this one, and those that came with it.
      const onContinue = (): void => {
        continued = true;
        setImmediate(finish);
      };
      this.#events.on("SIGCONT", onContinue);
      const cancel = this.#clock.after(STOP_TAKES_MS, () => setImmediate(finish));
      this.#signalGroup(signal);
    });
  }
}

/** The process group of a process, and the one that has its terminal, from its `/proc/PID/stat`. */
export function readGroups(stat: string): { readonly group: number; readonly foreground: number } {
  // After the name in brackets: state, parent, group, session, terminal, the group that has it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { group: Number(fields[2]), foreground: Number(fields[5]) };
}
