/** Drives a live terminal: implements `TerminalPort` with a run's terminal and its emulated screen. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Cancel, Clock } from "../../model/clock.js";
import type { ToolState } from "../../model/tool-state.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { View } from "../../sdk/view.js";
import type { Screen } from "../screen/screen.js";
import type { Terminal, TerminalQueues } from "../process/terminal.js";
import { SIGNAL_CODE_BASE } from "../process/tool-process.js";
import type { TerminalPort } from "./terminal-port.js";

/** The highest number of a signal. Codes above are the tool's own: one ends with 199 to be started anew. */
const SIGNAL_MAX = 64;

export interface TerminalDriverFacts {
  /** Rules put on a view, now. */
  readonly detect: (view: View) => Candidate | null;
  /** See `TerminalPort`. */
  readonly detectState: (view: View) => ToolState | null;
  readonly hasEmptyComposer: (view: View) => boolean;
  readonly typedAt: () => number;
  readonly foregroundGroup: () => number | null;
  /** We were asked to end, and have signalled the tool. */
  readonly isEnding: () => boolean;
  /** Called with the bytes before they can have an effect: the tracker must know of our keys before it sees their effect. */
  readonly onWrite?: ((bytes: Uint8Array) => void) | undefined;
}

export class TerminalDriver implements TerminalPort {
  readonly clock: Clock;
  readonly #terminal: Terminal;
  readonly #screen: Screen;
  readonly #facts: TerminalDriverFacts;
  readonly #listeners = new Set<() => void>();
  #wasKilled = false;

  constructor(terminal: Terminal, screen: Screen, clock: Clock, facts: TerminalDriverFacts) {
    this.clock = clock;
    this.#terminal = terminal;
    this.#screen = screen;
    this.#facts = facts;
    const tell = (): void => {
      for (const listener of this.#listeners) listener();
    };
    screen.onChange(tell);
    void terminal.exited.then(({ exitCode, signal }) => {
      const number = (exitCode ?? 0) - SIGNAL_CODE_BASE;
      this.#wasKilled = signal !== null || (number > 0 && number <= SIGNAL_MAX);
      tell();
    });
  }

  view(): View {
    return this.#screen.view();
  }

  detect(): Candidate | null {
    return this.#facts.detect(this.#screen.view());
  }

  detectState(view: View): ToolState | null {
    return this.#facts.detectState(view);
  }

  hasEmptyComposer(view: View): boolean {
    return this.#facts.hasEmptyComposer(view);
  }

  async waitUntilParsed(): Promise<void> {
    // The last output of a tool that ended may still be on its way.
    if (!this.#terminal.alive) await this.#terminal.exited;
    for (let before = -1; before !== this.#screen.parsedBytes || this.#screen.backlogBytes > 0;) {
      await this.#screen.flushed();
      before = this.#screen.parsedBytes;
      // The first turn only ends the running one; the second asks the kernel for data.
      await nextTurn();
      await nextTurn();
    }
  }

  readPending(): boolean {
    return this.#terminal.readNow();
  }

  write(bytes: Uint8Array, withinMs: number): Promise<number> {
    this.#facts.onWrite?.(bytes);
    const patience = new AbortController();
    const written = this.#terminal.write(bytes, { signal: patience.signal });
    if (withinMs <= 0) patience.abort();
    else void written.finally(this.clock.after(withinMs, () => patience.abort()));
    return written;
  }

  typedAt(): number {
    return this.#facts.typedAt();
  }

  foregroundGroup(): number | null {
    return this.#facts.foregroundGroup();
  }

  wasEnded(): boolean {
    return this.#wasKilled || this.#facts.isEnding();
  }

  outputBytes(): { written: number; parsed: number } {
    return { written: this.#screen.writtenBytes, parsed: this.#screen.parsedBytes };
  }

  setStepped(on: boolean): void {
    this.#screen.isStepped = on;
  }

  readQueues(): TerminalQueues | null {
    const queues = this.#terminal.readQueues();
    return queues && { ...queues, output: queues.output + this.#screen.backlogBytes };
  }

  isAlive(): boolean {
    return this.#terminal.alive;
  }

  onFrame(callback: () => void): Cancel {
    this.#listeners.add(callback);
    return () => void this.#listeners.delete(callback);
  }
}
