/** A window with an interactive shell in it, as people have it: what is typed there is typed by them. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Collector, environment, start } from "../../support/tools.js";
import type { Terminal, TerminalSize } from "../../../../src/worker/process/terminal.js";
import { HANG_MS } from "../../../support/hang-guards.js";

const MAIN = join(import.meta.dirname, "../../../../dist/main.js");
const BASH = "/bin/bash";
const HANG_UP_MS = 3_000;

/** What a person types to run a tool under us: no relay, so that nothing but terminals is measured, and no line of ours. */
export const RUN = `${process.execPath} ${MAIN} run --no-relay --quiet`;
export const RUN_ARGUMENTS = [process.execPath, MAIN, "run", "--no-relay", "--quiet"] as const;

/** Why no shell window can be had here, or null. */
export const noShell = existsSync(BASH) ? null : "there is no bash";

export const KEY = { ctrlC: "\x03", ctrlD: "\x04", ctrlZ: "\x1a", enter: "\r", escape: "\x1b" } as const;

export class ShellWindow {
  readonly terminal: Terminal;
  readonly #output: Collector;
  #seen = 0;

  private constructor(size: TerminalSize, more: Readonly<Record<string, string>>) {
    const env = {
      ...environment(),
      ...more,
      PS1: "[$?]$ ",
      HISTFILE: "",
      NODE_OPTIONS: "",
      ATLASBRIDGE_SESSION: "",
    };
    this.terminal = start([BASH, "--norc", "--noprofile", "-i"], { size, env });
    this.#output = new Collector(this.terminal);
  }

  static async open(
    size: TerminalSize = { cols: 80, rows: 24 },
    env: Readonly<Record<string, string>> = {},
  ): Promise<ShellWindow> {
    const window = new ShellWindow(size, env);
    await window.prompt();
    await window.answer("bind 'set enable-bracketed-paste off'");
    return window;
  }

  type(text: string): void {
    void this.terminal.write(Buffer.from(text));
  }

  enter(line: string): void {
    this.type(`${line}\r`);
  }

  async until(pattern: RegExp): Promise<string> {
    const fresh = () => this.text.slice(this.#seen);
    await within(
      this.#output.until(() => pattern.test(fresh())),
      () => `no ${String(pattern)} in ${JSON.stringify(fresh())}`,
    );
    const match = pattern.exec(fresh())!;
    const text = fresh().slice(0, match.index + match[0].length);
    this.#seen += text.length;
    return text;
  }

  /** Resolves with what was said before the shell asks for the next command. */
  async prompt(code: number | RegExp = /\d+/): Promise<string> {
    const shown = code instanceof RegExp ? code.source : String(code);
    return this.until(new RegExp(`\\[${shown}\\]\\$ $`));
  }

  /** Brings the last job back; settles when it has the terminal. */
  async bringBack(): Promise<void> {
    this.enter("fg");
    await this.until(/run --no-relay [^\r]*\r\n/);
  }

  async answer(line: string): Promise<string> {
    this.enter(line);
    const text = await this.prompt();
    return text
      .slice(text.indexOf("\n") + 1, text.lastIndexOf("["))
      .replaceAll("\r", "")
      .trim();
  }

  get text(): string {
    return this.#output.text;
  }

  /** The window goes. Its hang-up alone would not do: other windows of this process have inherited its terminal. */
  async close(): Promise<void> {
    this.terminal.kill("SIGHUP");
    const timer = setTimeout(() => this.terminal.kill("SIGKILL"), HANG_UP_MS);
    this.terminal.close();
    await this.terminal.exited;
    clearTimeout(timer);
  }
}

async function within<T>(work: Promise<T>, problem: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(problem())), HANG_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Gives a test a window of its own, and takes it away whatever happens. */
export async function withWindow(
  work: (window: ShellWindow) => Promise<void>,
  size?: TerminalSize,
  env?: Readonly<Record<string, string>>,
): Promise<void> {
  const window = await ShellWindow.open(size, env);
  try {
    await work(window);
  } finally {
    await window.close();
  }
}
