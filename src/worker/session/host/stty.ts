/** What Node cannot do to a terminal. `stty` acts on its standard input: one of ours. Where it is missing, nothing happens. */
import { spawn, spawnSync, type StdioOptions } from "node:child_process";

const STDIN = 0;

/** A change that is under way: `done` resolves also when it could not be done. */
export interface TerminalChange {
  readonly done: Promise<void>;
  stop(): void;
}

/** Output of the terminal behind `fd` as it is: without this a bare line feed becomes two characters. */
export function plainOutput(fd: number): TerminalChange {
  const child = spawn("stty", ["-opost"], { stdio: [fd, "ignore", "ignore"] });
  const done = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  return { done, stop: () => void child.kill("SIGKILL") };
}

/** All settings in the form that `stty` takes back; null when stdin is no terminal. To be asked before the terminal is raw. */
export function terminalSettings(): Promise<string | null> {
  if (!process.stdin.isTTY) return Promise.resolve(null);
  const child = spawn("stty", ["-g"], { stdio: [STDIN, "pipe", "ignore"] });
  return new Promise((resolve) => {
    let text = "";
    child.stdout?.setEncoding("latin1").on("data", (part: string) => (text += part));
    child.once("close", (code) => resolve(code === 0 ? text.trim() : null));
    child.once("error", () => resolve(null));
  });
}

/** A terminal that is only written to keeps its keys as they are: what `RawMode` makes raw is then nothing but its output. */
export class WrittenTerminal {
  readonly #fd: number;
  #found = "";

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Remembers the settings, or gives them back; by the end of the call, for it may be the last of the process. */
  setRawMode(on: boolean): void {
    if (on) this.#found = this.#stty(["-g"]).trim();
    else if (this.#found !== "") this.#stty([this.#found]);
  }

  #stty(args: readonly string[]): string {
    const stdio: StdioOptions = [this.#fd, "pipe", "ignore"];
    const { error, stdout } = spawnSync("stty", args, { stdio, encoding: "latin1" });
    return error ? "" : stdout;
  }
}
