/**
 * Changes terminal settings that Node cannot change: on Linux by a system call, elsewhere by `stty`, which acts on its standard
 * input, one of our descriptors. Where neither works, nothing happens.
 */
import { spawn, spawnSync, type StdioOptions } from "node:child_process";
import { openCLibrary } from "../../../observe/system-calls.js";
import { readSettings } from "../../process/descriptors/terminal-settings.js";

const STDIN = 0;
const OUTPUT_FLAGS = 1;
const OPOST = 1;
/** Changes take effect after what was written before has gone out. */
const TCSADRAIN = 1;

/** A change in progress. `done` resolves also when the change failed. */
export interface TerminalChange {
  readonly done: Promise<void>;
  stop(): void;
}

/** Turns off output processing of the terminal behind `fd`, which would turn a bare line feed into two characters. */
export function disableOutputProcessing(fd: number): TerminalChange {
  return clearOutputProcessing(fd) ? DONE : runStty(fd);
}

const DONE: TerminalChange = { done: Promise.resolve(), stop: () => undefined };

/** Without a process of its own, which would delay the tool's first byte. False where that is not possible. */
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

/** Reads all settings in the form that `stty` accepts; null when stdin is no terminal. Call before the terminal is raw. */
export function readTerminalSettings(): Promise<string | null> {
  if (!process.stdin.isTTY) return Promise.resolve(null);
  const known = readSettingsByCall(STDIN);
  return known === null ? readSettingsByStty() : Promise.resolve(known);
}

const FLAG_WORDS = 4;
const CHARACTERS_AT = 17;
/** As many as the C library has, and every `stty` prints and expects. */
const CHARACTERS = 32;

/** As `stty -g` prints them; null where that is not possible. */
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
