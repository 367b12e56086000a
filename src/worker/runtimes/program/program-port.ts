/** What a program session needs of the terminal that its program runs in. */
import type { Terminal } from "../../process/terminal.js";
import type { TerminalReaders } from "../../process/facts/process-facts.js";
import type { OutputSize } from "../../screen/output-text.js";
import type { TtySignals } from "../../process/facts/tty-facts.js";

export interface ProgramPort {
  readonly terminal: Pick<Terminal, "write" | "readNow" | "kill" | "alive" | "exited">;
  /** Calls `listener` with all output, in order. */
  onData(listener: (chunk: Uint8Array) => void): void;
  /** Calls `listener` with what the person at the terminal types, as it goes to the program. */
  onTyped(listener: (bytes: Uint8Array) => void): void;
  /** Call before a command from outside types for what runs: a prompt that ends now ends by that. */
  noteSent(): void;
  /** When the person last typed, on the monotonic clock; also keys that are held back. */
  typedAt(): number;
  /** When the terminal last sent something by itself, such as the answer to a query, on the monotonic clock. */
  reportedAt(): number;
  /** Runs `work` while nothing else of ours is typed. */
  turn<T>(work: () => Promise<T>): Promise<T>;
  /** Holds back what the person types, for the moment in which a line of ours goes in. */
  hold(): void;
  release(): void;
  /** What the program prints is not shown at the person's terminal. */
  mute(on: boolean): void;
  /** Of the terminal, in characters. */
  size(): OutputSize;
  foregroundGroup(): number | null;
  /** The processes of the foreground that wait in `read` of this terminal, and whether one does. */
  findReaders(): TerminalReaders;
  readTty(): Promise<TtySignals>;
}
