/** Records a live command for the Prompt Lab: timed bytes, sizes, and what the kernel knew when somebody said "now it waits". */
import { existsSync, writeFileSync } from "node:fs";
import { hostname, homedir, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { formatRecording } from "../../prompt-lab/recording.js";
import { scrubRecording } from "../../prompt-lab/scrub.js";
import { formatSkeleton } from "../../prompt-lab/skeleton.js";
import { resolvePaths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { systemClock } from "../observe/clock.js";
import type { Signals } from "../sdk/view.js";
import type { RecordingEvent } from "../worker/detect/replay.js";
import { HostTerminal } from "../worker/session/host-terminal.js";
import { InputClassifier, type InputReading } from "../worker/transport/input-kinds.js";
import { openPty } from "../worker/transport/pty.js";
import type { Terminal, TerminalSize } from "../worker/transport/terminal.js";
import { TtyFacts } from "../worker/transport/tty-facts.js";
import { adapterFor } from "./adapters.js";

/** Ctrl-] as a byte, and as the two keyboard protocols send it that tools may switch on. */
const MARKERS = ["\u001d", "\u001b[93;5u", "\u001b[27;5;93~"];
/** Bytes of one key follow each other faster than this: after it, Esc was Esc alone. */
const SEQUENCE_GAP_MS = 50;
/** A tool that does not heed the hang-up of its terminal is killed. */
const HANG_UP_GRACE_MS = 1000;

export interface RecordOptions {
  /** Executable and arguments. */
  readonly command: readonly string[];
  /** Adapter of the scenario; null: the one that knows the executable. */
  readonly tool: string | null;
  /** Scenario file; null: named after the executable, in the current folder. */
  readonly out: string | null;
  /** Fixed size; absent: the host terminal's, followed when it changes. */
  readonly cols?: number;
  readonly rows?: number;
  /** Start with hardly any environment, so that nothing of this machine's shows. */
  readonly clean: boolean;
}

export interface Recorded {
  readonly scenarioFile: string;
  readonly recordingFile: string;
  /** False when the command ended before anybody pressed the marker key. */
  readonly marked: boolean;
}

/** Errors: ATB_USAGE (the file is there already), ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED. */
export async function recordScenario(options: RecordOptions, host = new HostTerminal()): Promise<Recorded> {
  const files = targetFiles(options);
  const size = { cols: options.cols ?? host.size.cols, rows: options.rows ?? host.size.rows };
  const { command, clean } = options;
  const env = recordingEnvironment(process.env, clean);
  const terminal = openPty({ command, env, cwd: process.cwd(), size, clock: systemClock });
  const recorder = new Recorder(terminal, host, options.cols === undefined && options.rows === undefined);
  const { events, tty } = await recorder.run();
  const owner = { home: homedir(), user: userInfo().username, host: hostname() };
  write(files.recordingFile, formatRecording(scrubRecording(events, owner)));
  const tool = options.tool ?? adapterFor(command[0] ?? "", resolvePaths()).name;
  const stem = basename(files.scenarioFile, ".json");
  const recordingFile = basename(files.recordingFile);
  const scenarioId = `${tool}_${stem.replaceAll("-", "_")}`;
  write(files.scenarioFile, formatSkeleton({ tool, scenarioId, recordingFile, ...size, tty: tty ?? {} }));
  return { ...files, marked: tty !== null };
}

function targetFiles({ out, command }: RecordOptions): Pick<Recorded, "scenarioFile" | "recordingFile"> {
  const scenarioFile = out ?? `${basename(command[0] ?? "")}-recorded.json`;
  const recordingFile = join(dirname(scenarioFile), `${basename(scenarioFile, ".json")}.jsonl`);
  for (const file of [scenarioFile, recordingFile]) {
    if (existsSync(file))
      throw new AtlasBridgeError("ATB_USAGE", `${file} is there already`, {
        hint: "Give another name: --out FILE",
      });
  }
  return { scenarioFile, recordingFile };
}

/** What somebody's screen showed is for its owner to share. */
function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    throw new AtlasBridgeError("ATB_USAGE", `${file} cannot be written`, {
      hint: "Give a file in an existing folder: --out FILE",
      cause,
    });
  }
}

const CLEAN_NAMES = ["PATH", "HOME"];

function recordingEnvironment(from: NodeJS.ProcessEnv, clean: boolean): Record<string, string> {
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

class Recorder {
  readonly #terminal: Terminal;
  readonly #host: HostTerminal;
  readonly #followsSize: boolean;
  readonly #start = systemClock.monotonic();
  readonly #events: RecordingEvent[] = [];
  readonly #classifier = new InputClassifier();
  #cancelFlush: () => void = () => undefined;

  constructor(terminal: Terminal, host: HostTerminal, followsSize: boolean) {
    this.#terminal = terminal;
    this.#host = host;
    this.#followsSize = followsSize;
  }

  /** Runs until the marker key or the command's end. `tty` is null without the marker. */
  async run(): Promise<{ events: readonly RecordingEvent[]; tty: Signals | null }> {
    try {
      const marked = await this.#untilEnd();
      const tty = marked ? await new TtyFacts(this.#terminal).read() : null;
      return { events: [...this.#events], tty };
    } finally {
      this.#cancelFlush();
      await this.#end();
      await this.#host.flush();
      this.#host.close();
    }
  }

  /** Resolves with whether the marker key was pressed. */
  async #untilEnd(): Promise<boolean> {
    let onMarker: () => void = () => undefined;
    const marker = new Promise<boolean>((resolve) => (onMarker = () => resolve(true)));
    await this.#host.open({
      onInput: (chunk) => (holdsMarker(chunk) ? onMarker() : this.#onInput(chunk)),
      onInputEnd: () => undefined,
      onResize: (size) => this.#onResize(size),
      onEndSignal: (signal) => void this.#terminal.kill(signal),
      onOutputLost: () => undefined,
    });
    this.#terminal.onData((chunk) => this.#onOutput(chunk));
    return Promise.race([marker, this.#terminal.exited.then(() => false)]);
  }

  #onOutput(chunk: Uint8Array): void {
    this.#add({ data_b64: Buffer.from(chunk).toString("base64") });
    this.#terminal.pause();
    void this.#host.write(chunk).then(() => this.#terminal.resume());
  }

  #onInput(chunk: Uint8Array): void {
    this.#cancelFlush();
    this.#addKeys(this.#classifier.push(chunk));
    if (this.#classifier.pending)
      this.#cancelFlush = systemClock.after(SEQUENCE_GAP_MS, () => this.#addKeys(this.#classifier.flush()));
    void this.#terminal.write(chunk);
  }

  /** What the terminal itself answers is no key and is not recorded. */
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
    const elapsed = systemClock.monotonic() - this.#start;
    this.#events.push({ t_ms: Math.round(elapsed * 10) / 10, ...what });
  }

  async #end(): Promise<void> {
    const { exited } = this.#terminal;
    this.#terminal.close();
    const cancel = systemClock.after(HANG_UP_GRACE_MS, () => void this.#terminal.kill("SIGKILL"));
    await exited;
    cancel();
  }
}

function holdsMarker(chunk: Uint8Array): boolean {
  const keys = Buffer.from(chunk).toString("latin1");
  return MARKERS.some((marker) => keys.includes(marker));
}
