/**
 * Changes terminal settings that Node cannot change. `stty` acts on its standard input, one of our descriptors. Where it is
 * missing, nothing happens.
 */
import { spawn, spawnSync, type StdioOptions } from "node:child_process";

const STDIN = 0;

/** A change in progress. `done` resolves also when the change failed. */
export interface TerminalChange {
  readonly done: Promise<void>;
  stop(): void;
}

/** Turns off output processing of the terminal behind `fd`, which would turn a bare line feed into two characters. */
export function disableOutputProcessing(fd: number): TerminalChange {
  const child = spawn("stty", ["-opost"], { stdio: [fd, "ignore", "ignore"] });
  const done = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  return { done, stop: () => void child.kill("SIGKILL") };
}

/** Reads all settings in the form that `stty` accepts; null when stdin is no terminal. Call before the terminal is raw. */
export function readTerminalSettings(): Promise<string | null> {
  if (!process.stdin.isTTY) return Promise.resolve(null);
  const child = spawn("stty", ["-g"], { stdio: [STDIN, "pipe", "ignore"] });
  return new Promise((resolve) => {
    let text = "";
    child.stdout?.setEncoding("latin1").on("data", (part: string) => (text += part));
    child.once("close", (code) => resolve(code === 0 ? text.trim() : null));
    child.once("error", () => resolve(null));
  });
}

/** A terminal that is only written to: its keys keep their mode, and `RawMode` makes only its output raw. */
export class OutputOnlyTerminal {
  readonly #fd: number;
  #savedSettings = "";

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Saves the settings, or restores them; synchronously, because the call may be the last of the process. */
  setRawMode(on: boolean): void {
    if (on) this.#savedSettings = this.#stty(["-g"]).trim();
    else if (this.#savedSettings !== "") this.#stty([this.#savedSettings]);
  }

  #stty(args: readonly string[]): string {
    const stdio: StdioOptions = [this.#fd, "pipe", "ignore"];
    const { error, stdout } = spawnSync("stty", args, { stdio, encoding: "latin1" });
    return error ? "" : stdout;
  }
}
