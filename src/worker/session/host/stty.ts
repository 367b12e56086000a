/**
 * Changes terminal settings that Node cannot change: by a system call on Linux, elsewhere by `stty`. If neither works, they stay unchanged.
 */
import { spawn, spawnSync, type StdioOptions } from "node:child_process";
import { openCLibrary } from "../../../observe/system-calls.js";
import { readSettings } from "../../process/descriptors/terminal-settings.js";

const STDIN = 0;
const OUTPUT_FLAGS = 1;
const OPOST = 1;
const TCSADRAIN = 1;

/** `done` resolves even if the change failed. */
export interface TerminalChange {
  readonly done: Promise<void>;
  stop(): void;
}

/** Turns off the output processing that would turn a line feed into two characters. */
export function disableOutputProcessing(fd: number): TerminalChange {
  return clearOutputProcessing(fd) ? DONE : runStty(fd);
}

const DONE: TerminalChange = { done: Promise.resolve(), stop: () => undefined };

/** Avoids a process of its own, which would delay the tool's first byte. False if that is impossible. */
function clearOutputProcessing(fd: number): boolean {
  const library = openCLibrary();
  const settings = readSettings(fd);
  if (library === null || settings === null) return false;
  settings[OUTPUT_FLAGS] = (settings[OUTPUT_FLAGS] ?? 0) & ~OPOST;
  return library.func("int tcsetattr(int fd, int when, void *settings)")(fd, TCSADRAIN, settings) === 0;
}

function runStty(fd: number): TerminalChange {
  const child = spawn("stty", ["-opost"], { stdio: [fd, "ignore", "ignore"] });
  const done = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  return { done, stop: () => void child.kill("SIGKILL") };
}

/** Reads all settings as `stty` accepts them; null if stdin is no terminal. Call before the terminal is raw. */
export function readTerminalSettings(): Promise<string | null> {
  if (!process.stdin.isTTY) return Promise.resolve(null);
  const known = readSettingsByCall(STDIN);
  return known === null ? readSettingsByStty() : Promise.resolve(known);
}

const FLAG_WORDS = 4;
const CHARACTERS_AT = 17;
/** The C library has as many, and every `stty` prints and expects them. */
const CHARACTERS = 32;

/** Formats them as `stty -g` does; null if that is impossible. */
export function readSettingsByCall(fd: number): string | null {
  const settings = readSettings(fd);
  if (settings === null) return null;
  const characters = new Uint8Array(settings.buffer).subarray(CHARACTERS_AT, CHARACTERS_AT + CHARACTERS);
  return [...settings.subarray(0, FLAG_WORDS), ...characters].map((each) => each.toString(16)).join(":");
}

function readSettingsByStty(): Promise<string | null> {
  const child = spawn("stty", ["-g"], { stdio: [STDIN, "pipe", "ignore"] });
  return new Promise((resolve) => {
    let text = "";
    child.stdout?.setEncoding("latin1").on("data", (part: string) => (text += part));
    child.once("close", (code) => resolve(code === 0 ? text.trim() : null));
    child.once("error", () => resolve(null));
  });
}

/** A terminal that is only written to: `RawMode` makes its output raw, and its keys keep their mode. */
export class OutputOnlyTerminal {
  readonly #fd: number;
  #savedSettings = "";

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Saves or restores the settings. It is synchronous, because it may be the last call of the process. */
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
