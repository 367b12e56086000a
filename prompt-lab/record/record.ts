/** Records a live command: timed bytes, sizes, and the terminal's facts when the marker key is pressed. */
import { basename } from "node:path";
import { resolvePaths } from "../../src/config/paths.js";
import { buildToolEnvironment } from "../../src/config/tool-environment.js";
import { systemClock } from "../../src/observe/clock.js";
import { getCurrentFolder } from "../../src/observe/current-folder.js";
import { openOwnTerminal, type HostTerminal } from "../../src/worker/session/host/host-terminal.js";
import type { Environment } from "../../src/worker/process/child-environment.js";
import { openPty } from "../../src/worker/pty/pty.js";
import { findAdapter, requireAdapterFile } from "../../src/plugins/adapters/adapters.js";
import { nameDraftFiles, writeDraft, type Drafted } from "./draft.js";
import type { Signals } from "../../src/sdk/view.js";
import type { RecordingEvent } from "../../src/worker/screen/recording-event.js";
import { Screen } from "../../src/worker/screen/screen.js";
import { passEvents } from "../../src/worker/session/host/host-hooks.js";
import { InputClassifier, type InputReading } from "../../src/worker/screen/input-classifier.js";
import type { Terminal, TerminalSize } from "../../src/worker/process/terminal.js";
import { TtyFacts } from "../../src/worker/process/facts/tty-facts.js";

export interface RecordOptions {
  readonly command: readonly string[];
  /** Null: the adapter for the executable. */
  readonly tool: string | null;
  /** Null: named after the executable, in the current folder. */
  readonly out: string | null;
  /** Absent: the size of the host terminal. */
  readonly cols?: number;
  readonly rows?: number;
  /** A minimal environment, without names of this machine. */
  readonly clean: boolean;
  /** Called once the command runs. */
  readonly onStart?: () => void;
}

export interface Recorded extends Drafted {
  /** False if the command exited before the marker key. */
  readonly marked: boolean;
}

/** Errors: ATB_USAGE (a file exists), ATB_ADAPTER_UNKNOWN, ATB_ADAPTER_INVALID, ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED. */
export async function recordScenario(
  options: RecordOptions,
  host = openOwnTerminal(systemClock),
): Promise<Recorded> {
  const files = nameDraftFiles(options.out ?? `${basename(options.command[0] ?? "")}-recorded.json`);
  if (options.tool !== null) requireAdapterFile(options.tool, resolvePaths());
  const tool = options.tool ?? (await findAdapter(options.command[0] ?? "", resolvePaths())).name;
  const size = { cols: options.cols ?? host.size.cols, rows: options.rows ?? host.size.rows };
  const { command, clean } = options;
  const environment = await buildToolEnvironment(resolvePaths().config, process.env);
  const env = buildRecordingEnvironment(environment, clean);
  const cwd = getCurrentFolder();
  const terminal = openPty({ command, env, cwd, size, clock: systemClock });
  options.onStart?.();
  const recorder = new Recorder(terminal, host, options.cols === undefined && options.rows === undefined);
  const { events, tty } = await recorder.run();
  const told = await writeDraft(files, { tool, events, ...size, tty: tty ?? {} }, [cwd]);
  return { ...files, told, marked: tty !== null };
}

const CLEAN_NAMES = ["PATH", "HOME"];

function buildRecordingEnvironment(from: Environment, clean: boolean): Record<string, string> {
  const kept = Object.entries(from).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      (clean ? CLEAN_NAMES.includes(entry[0]) : !entry[0].startsWith("ATLASBRIDGE_")),
  );
  const plain = { TERM: "xterm-256color", LANG: "C.UTF-8", PS1: "$ " };
  return clean
    ? { ...Object.fromEntries(kept), ...plain }
    : { TERM: plain.TERM, ...Object.fromEntries(kept) };
}

/** Ctrl-], also as two keyboard protocols send it. */
const MARKERS = ["\u001d", "\u001b[93;5u", "\u001b[27;5;93~"];
/** After a longer gap Esc was a key of its own. */
const SEQUENCE_GAP_MS = 50;
/** After this time a tool that ignores SIGHUP is killed. */
const HANG_UP_GRACE_MS = 1000;

export class Recorder {
  readonly #terminal: Terminal;
  readonly #host: HostTerminal;
  readonly #followsSize: boolean;
  readonly #start = systemClock.monotonic();
  readonly #events: RecordingEvent[] = [];
  readonly #classifier = new InputClassifier();
  #cancelFlush: () => void = () => undefined;
  /** Also sees output after the end of the recording. */
  readonly #screen: Screen;
  #recording = true;

  constructor(terminal: Terminal, host: HostTerminal, followsSize: boolean) {
    this.#terminal = terminal;
    this.#host = host;
    this.#followsSize = followsSize;
    this.#screen = new Screen(host.size);
  }

  /** Runs until the marker key (otherwise `tty` is null) or the command's exit. */
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

  /** Lets the tool restore its screen, then ends it and restores the terminal. */
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
