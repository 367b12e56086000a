import type { Terminal } from "../../process/terminal.js";
import type { TerminalReaders } from "../../process/facts/process-facts.js";
import type { OutputSize } from "../../screen/output-text.js";
import type { TtySignals } from "../../process/facts/tty-facts.js";

export interface ProgramPort {
  readonly terminal: Pick<Terminal, "write" | "readNow" | "kill" | "alive" | "exited">;
  onData(listener: (chunk: Uint8Array) => void): void;
  /** Calls `listener` with the bytes that the person types, when they reach the program. */
  onTyped(listener: (bytes: Uint8Array) => void): void;
  /** Call before something is typed for a running command: if a prompt ends now, that is the reason. */
  noteSent(): void;
  /** When the person last typed, on the monotonic clock, including keys that are held back. */
  typedAt(): number;
  /** When the terminal last sent an answer to a query, on the monotonic clock. */
  reportedAt(): number;
  turn<T>(work: () => Promise<T>): Promise<T>;
  hold(): void;
  release(): void;
  mute(on: boolean): void;
  size(): OutputSize;
  foregroundGroup(): number | null;
  /** The foreground processes that wait in `read` of this terminal, and whether there is one. */
  findReaders(): TerminalReaders;
  readTty(): Promise<TtySignals>;
}
