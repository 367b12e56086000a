/** Connects the user's terminal and the tool's: bytes, flow control, size and end of input. */
import type { Clock } from "../../../model/clock.js";
import { InputClassifier, type InputReading } from "../../screen/input-classifier.js";
import type { Terminal, TerminalSize } from "../../process/terminal.js";
import { TtyFacts } from "../../process/facts/tty-facts.js";
import { endInput } from "./host-input-end.js";
import type { TerminalEvents } from "./host-hooks.js";
import type { HostTerminal } from "./host-terminal.js";

/** The bytes of one key or answer follow each other faster, even over a slow line; separate key presses do not. */
const SEQUENCE_GAP_MS = 50;

/** Takes a chunk. Null: more may follow at once. */
export type OutputTaker = (chunk: Uint8Array) => Promise<void> | null;

export interface ToolSide {
  readonly terminal: Pick<Terminal, "pid" | "ptsPath" | "alive" | "write" | "drained" | "onPressure">;
  /**
   * Calls `to` with all further output, in order. While a promise of `to` is pending, the tool is paused. Resolves after the last output.
   */
  passOutput(to: OutputTaker): Promise<void>;
  /** `typed`: a person typed them, or it is unknown. */
  typeKeys(bytes: Uint8Array, typed: boolean): void;
  resize(size: TerminalSize): void;
}

export interface JoinHooks {
  readonly events: TerminalEvents;
  /** Called with the kind of the last piece of input, just before its bytes go to the tool (for Esc alone, 50 ms later). */
  onReading(reading: InputReading): void;
  filterInput(chunk: Uint8Array): Uint8Array;
  onOutput?(chunk: Uint8Array): void;
}

/**
 * Resolves when the tool has ended and its output is written or lost. The terminal stays taken over until `host.close()`. Rejects only if
 * `passOutput` does.
 */
export async function joinHost(
  host: HostTerminal,
  tool: ToolSide,
  clock: Clock,
  hooks: JoinHooks,
): Promise<void> {
  const input = new HostInputForwarder(tool, clock, hooks);
  const show = (chunk: Uint8Array): Promise<void> | null => {
    hooks.onOutput?.(chunk);
    return host.write(chunk);
  };
  let isOpen = false;
  let onOpened: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (onOpened = resolve));
  // Output is taken even before the terminal is: a tool that prints and ends at once must not wait for our raw mode.
  const passed = tool.passOutput((chunk) =>
    isOpen ? show(chunk) : opened.then(() => show(chunk) ?? undefined),
  );
  await host.open({
    onInput: (chunk) => input.take(chunk),
    onInputEnd: () => input.end(),
    onResize: (size) => tool.resize(size),
    ...hooks.events,
  });
  tool.terminal.onPressure((full) => (full ? host.pauseInput() : host.resumeInput()));
  isOpen = true;
  onOpened();
  await passed;
  input.stop();
  await host.flush();
}

class HostInputForwarder {
  readonly #tool: ToolSide;
  readonly #clock: Clock;
  readonly #hooks: JoinHooks;
  readonly #classifier = new InputClassifier();
  #cancelFlush: () => void = () => undefined;
  #lastByte: number | undefined;

  constructor(tool: ToolSide, clock: Clock, hooks: JoinHooks) {
    this.#tool = tool;
    this.#clock = clock;
    this.#hooks = hooks;
  }

  take(chunk: Uint8Array): void {
    this.#cancelFlush();
    const reading = this.#classifier.push(chunk);
    this.#hooks.onReading(reading);
    if (this.#classifier.pending) this.#cancelFlush = this.#clock.after(SEQUENCE_GAP_MS, () => this.#flush());
    const bytes = this.#hooks.filterInput(chunk);
    this.#lastByte = bytes.at(-1) ?? this.#lastByte;
    this.#tool.typeKeys(bytes, reading.typed || this.#classifier.pending);
  }

  end(): void {
    const { terminal } = this.#tool;
    void endInput({
      terminal,
      facts: new TtyFacts(terminal),
      clock: this.#clock,
      lastByte: this.#lastByte,
    });
  }

  stop(): void {
    this.#cancelFlush();
  }

  #flush(): void {
    this.#hooks.onReading(this.#classifier.flush());
  }
}
