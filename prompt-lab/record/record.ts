/** Connects the user's terminal with a command's terminal and records both directions. */
import { systemClock } from "../observe/clock.js";
import type { Signals } from "../sdk/view.js";
import type { RecordingEvent } from "../worker/screen/recording-event.js";
import { Screen } from "../worker/screen/screen.js";
import type { HostTerminal } from "../worker/session/host/host-terminal.js";
import { passEvents } from "../worker/session/host/host-hooks.js";
import { InputClassifier, type InputReading } from "../worker/screen/input-classifier.js";
import type { Terminal, TerminalSize } from "../worker/process/terminal.js";
import { TtyFacts } from "../worker/process/facts/tty-facts.js";

/** Ctrl-] as a byte, and as the two keyboard protocols send it. */
const MARKERS = ["\u001d", "\u001b[93;5u", "\u001b[27;5;93~"];
/** Bytes of one key arrive faster than this; after it, Esc was a single key. */
const SEQUENCE_GAP_MS = 50;
/** A tool that ignores the hangup of its terminal is killed. */
const HANG_UP_GRACE_MS = 1000;

export class Recorder {
  readonly #terminal: Terminal;
  readonly #host: HostTerminal;
  readonly #followsSize: boolean;
  readonly #start = systemClock.monotonic();
  readonly #events: RecordingEvent[] = [];
  readonly #classifier = new InputClassifier();
  #cancelFlush: () => void = () => undefined;
  /** Sees all output, including that after the recording's end. */
  readonly #screen: Screen;
  #recording = true;

  constructor(terminal: Terminal, host: HostTerminal, followsSize: boolean) {
    this.#terminal = terminal;
    this.#host = host;
    this.#followsSize = followsSize;
    this.#screen = new Screen(host.size);
  }

  /** Runs until the marker key or the command's exit. `tty` is null without the marker. */
  async run(): Promise<{ events: readonly RecordingEvent[]; tty: Signals | null }> {
    try {
      const marked = await this.#awaitEnd();
      const tty = marked ? await new TtyFacts(this.#terminal).read() : null;
      return { events: [...this.#events], tty };
    } finally {
      this.#recording = false;
      this.#cancelFlush();
      await this.#end();
      this.#host.close();
    }
  }

  /** Resolves to whether the marker key was pressed. */
  async #awaitEnd(): Promise<boolean> {
    let onMarker: () => void = () => undefined;
    const marker = new Promise<boolean>((resolve) => (onMarker = () => resolve(true)));
    await this.#host.open({
      onInput: (chunk) => (holdsMarker(chunk) ? onMarker() : this.#onInput(chunk)),
      onInputEnd: () => undefined,
      onResize: (size) => this.#onResize(size),
      ...passEvents(this.#host, this.#terminal, (signal) => void this.#terminal.kill(signal)),
      onOutputLost: () => undefined,
    });
    this.#terminal.onData((chunk) => this.#onOutput(chunk));
    return Promise.race([marker, this.#terminal.exited.then(() => false)]);
  }

  #onOutput(chunk: Uint8Array): void {
    this.#screen.write(chunk);
    this.#add({ data_b64: Buffer.from(chunk).toString("base64") });
    this.#terminal.pause();
    void Promise.resolve(this.#host.write(chunk)).then(() => this.#terminal.resume());
  }

  #onInput(chunk: Uint8Array): void {
    this.#cancelFlush();
    this.#addKeys(this.#classifier.push(chunk));
    if (this.#classifier.pending)
      this.#cancelFlush = systemClock.after(SEQUENCE_GAP_MS, () => this.#addKeys(this.#classifier.flush()));
    void this.#terminal.write(chunk);
  }

  /** The terminal's own responses are not keys and are not recorded. */
  #addKeys({ keys }: InputReading): void {
    if (keys.length === 0) return;
    this.#add({ input_b64: Buffer.concat(keys.map((key) => key.bytes)).toString("base64") });
  }

  #onResize({ cols, rows }: TerminalSize): void {
    if (!this.#followsSize) return;
    this.#add({ resize: [cols, rows] });
    this.#terminal.resize({ cols, rows });
  }

  #add(what: { data_b64: string } | { input_b64: string } | { resize: readonly [number, number] }): void {
    if (!this.#recording) return;
    const elapsed = systemClock.monotonic() - this.#start;
    this.#events.push({ t_ms: Math.round(elapsed * 10) / 10, ...what });
  }

  /** Lets the tool restore its screen, then ensures that it is gone and the screen is restored. */
  async #end(): Promise<void> {
    const { exited } = this.#terminal;
    this.#terminal.kill("SIGHUP");
    const cancel = systemClock.after(HANG_UP_GRACE_MS, () => {
      this.#terminal.close();
      this.#terminal.kill("SIGKILL");
    });
    await exited;
    cancel();
    if (this.#host.isTerminal) await this.#host.write(Buffer.from(`${this.#screen.undoModes()}\x1b[m\r\n`));
    await this.#host.flush();
  }
}

function holdsMarker(chunk: Uint8Array): boolean {
  const keys = Buffer.from(chunk).toString("latin1");
  return MARKERS.some((marker) => keys.includes(marker));
}
