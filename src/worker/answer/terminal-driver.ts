/** Reads and writes the terminal of a run while an answer is typed. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Cancel, Clock } from "../../model/clock.js";
import type { ToolState } from "../../model/tool-state.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { View } from "../../sdk/view.js";
import type { Screen } from "../screen/screen.js";
import type { Terminal, TerminalQueues } from "../process/terminal.js";
import { SIGNAL_CODE_BASE } from "../process/tool-process.js";

/** Exit codes above this signal's are the tool's own: one ends with 199 to be restarted. */
const SIGNAL_MAX = 64;

export interface TerminalDriverFacts {
  /** What the rules find in a picture; null: no prompt. */
  readonly detect: (view: View) => Candidate | null;
  /** What the tool does according to a picture, whatever it asks; null when the picture does not say. */
  readonly detectState: (view: View) => ToolState | null;
  /** Whether the composer is drawn in a picture with nothing typed in it. */
  readonly hasEmptyComposer: (view: View) => boolean;
  /** When the person at the keyboard last typed (monotonic ms); rises also for keys that are held back. */
  readonly typedAt: () => number;
  /** Foreground process group of the terminal; null where it cannot be seen. */
  readonly foregroundGroup: () => number | null;
  /** We were asked to end, and have signalled the tool. */
  readonly isEnding: () => boolean;
  /** Called with the bytes before they can have an effect: the tracker must know our keys before it sees their effect. */
  readonly onWrite?: ((bytes: Uint8Array) => void) | undefined;
}

export class TerminalDriver {
  readonly clock: Clock;
  readonly detectState: TerminalDriverFacts["detectState"];
  readonly hasEmptyComposer: TerminalDriverFacts["hasEmptyComposer"];
  readonly typedAt: TerminalDriverFacts["typedAt"];
  readonly foregroundGroup: TerminalDriverFacts["foregroundGroup"];
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
    this.detectState = facts.detectState;
    this.hasEmptyComposer = facts.hasEmptyComposer;
    this.typedAt = facts.typedAt;
    this.foregroundGroup = facts.foregroundGroup;
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

  /** The picture as parsed until now. */
  view(): View {
    return this.#screen.view();
  }

  /** What the rules find in that picture, never a stored candidate. */
  detect(): Candidate | null {
    return this.#facts.detect(this.#screen.view());
  }

  /** Resolves when the emulator has parsed all its input and one event-loop turn passed without data. */
  async waitUntilParsed(): Promise<void> {
    // The last output of a tool that ended may not have arrived yet.
    if (!this.#terminal.alive) await this.#terminal.exited;
    for (let before = -1; before !== this.#screen.parsedBytes || this.#screen.backlogBytes > 0;) {
      await this.#screen.flushed();
      before = this.#screen.parsedBytes;
      // The first turn only ends the running one; the second asks the kernel for data.
      await nextTurn();
      await nextTurn();
    }
  }

  /** Reads the output that is waiting now; false when there was none. True: the picture is out of date and must settle again. */
  readPending(): boolean {
    return this.#terminal.readNow();
  }

  /**
   * Begins to write in this very turn of the event loop. What the terminal has not taken after `withinMs` is taken back (0: in
   * this turn too, so that no key can reach a later picture). Resolves to how many bytes went in; rejects when that is not known.
   */
  write(bytes: Uint8Array, withinMs: number): Promise<number> {
    this.#facts.onWrite?.(bytes);
    const patience = new AbortController();
    const written = this.#terminal.write(bytes, { signal: patience.signal });
    if (withinMs <= 0) patience.abort();
    else void written.finally(this.clock.after(withinMs, () => patience.abort()));
    return written;
  }

  /** The tool was ended from outside: by a signal, or because we were asked to end. */
  wasEnded(): boolean {
    return this.#wasKilled || this.#facts.isEnding();
  }

  /** Output bytes since the start: all that have come, and those in the picture. */
  outputBytes(): { readonly written: number; readonly parsed: number } {
    return { written: this.#screen.writtenBytes, parsed: this.#screen.parsedBytes };
  }

  /** While on, `onFrame` is called after every drawing step, not only after each chunk of output. */
  setStepped(on: boolean): void {
    this.#screen.isStepped = on;
  }

  /** See `Terminal`; output that is not in the picture yet is counted as queued. */
  readQueues(): TerminalQueues | null {
    const queues = this.#terminal.readQueues();
    return queues && { ...queues, output: queues.output + this.#screen.backlogBytes };
  }

  isAlive(): boolean {
    return this.#terminal.alive;
  }

  /** Calls back after every changed frame and when the tool ends. */
  onFrame(callback: () => void): Cancel {
    this.#listeners.add(callback);
    return () => void this.#listeners.delete(callback);
  }
}
