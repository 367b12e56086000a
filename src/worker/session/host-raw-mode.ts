/** Raw mode of the user's terminal: every byte goes through untouched both ways, and every way out gives the old mode back. */
import { spawn } from "node:child_process";

export interface RawInput {
  setRawMode(on: boolean): unknown;
}

/** What of the process is needed; a test puts an emitter in its place. */
export interface ProcessEvents {
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
}

/** A change of the output mode that is under way: it resolves when done (or when it could not be done) and can be stopped. */
export interface OutputChange {
  readonly done: Promise<void>;
  stop(): void;
}

/** `exit` comes last on every way out that lets us act; a crash restores before its message is printed. */
const WAYS_OUT = ["exit", "uncaughtExceptionMonitor"];

export class RawMode {
  readonly #input: RawInput;
  readonly #process: ProcessEvents;
  readonly #plainOutput: () => OutputChange;
  #change: OutputChange | null = null;
  #raw = false;

  constructor(
    input: RawInput,
    events: ProcessEvents = process,
    plainOutput: () => OutputChange = sttyPlainOutput,
  ) {
    this.#input = input;
    this.#process = events;
    this.#plainOutput = plainOutput;
  }

  /** Resolves when input and output are raw: the tool's first byte must not come earlier. */
  async enter(): Promise<void> {
    this.#raw = true;
    for (const way of WAYS_OUT) this.#process.on(way, this.#leave);
    this.#process.on("SIGCONT", this.#enterAgain);
    await this.#apply();
  }

  leave(): void {
    this.#leave();
  }

  // Node's raw mode leaves output processing on: a bare line feed would become two characters (and a tool that draws by them is torn).
  async #apply(): Promise<void> {
    this.#input.setRawMode(true);
    this.#change = this.#plainOutput();
    await this.#change.done;
  }

  readonly #leave = (): void => {
    if (!this.#raw) return;
    this.#raw = false;
    this.#change?.stop();
    this.#input.setRawMode(false);
    for (const way of WAYS_OUT) this.#process.off(way, this.#leave);
    this.#process.off("SIGCONT", this.#enterAgain);
  };

  /** Somebody stopped us and the shell changed the mode meanwhile. Node believes it is still raw, hence off first. */
  readonly #enterAgain = (): void => {
    this.#change?.stop();
    this.#input.setRawMode(false);
    void this.#apply();
  };
}

/** `stty` acts on its standard input, which is ours. Where it is missing, output stays as Node sets it. */
function sttyPlainOutput(): OutputChange {
  const child = spawn("stty", ["-opost"], { stdio: ["inherit", "ignore", "ignore"] });
  const done = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  return { done, stop: () => void child.kill("SIGKILL") };
}
