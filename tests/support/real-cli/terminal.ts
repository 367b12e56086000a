/** A terminal with a person's eyes: runs a program in a PTY, keeps its screen, waits until something is on it. */
import { EventEmitter, once } from "node:events";
import xterm from "@xterm/headless";
import { type IPty, spawn } from "node-pty";
import type { ToolCommand } from "./claude.js";
import { HANG_MS } from "../hang-guards.js";

export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}

/** Longer than claude's guard against hasty keys (up to 300 ms on a busy machine), shorter than the 600 ms of its blinking dot. */
const QUIET_MS = 400;

/** The named keys that tests press; anything else is sent as it is. */
export const KEYS = { enter: "\r", esc: "\x1b", up: "\x1b[A", down: "\x1b[B", tab: "\t" } as const;

export class RealTerminal {
  /** Told every piece of output as it was read, before it is drawn. */
  onOutput: (bytes: Uint8Array) => void = () => undefined;
  readonly #pty: IPty;
  readonly #emulator: xterm.Terminal;
  readonly #events = new EventEmitter();
  readonly #exited: Promise<number>;
  #exitCode: number | null = null;

  constructor(command: ToolCommand, size: TerminalSize = { cols: 120, rows: 40 }) {
    this.#emulator = new xterm.Terminal({ ...size, allowProposedApi: true });
    const { cwd, env, args, file } = command;
    this.#pty = spawn(file, [...args], { ...size, cwd, env, name: "xterm-256color", encoding: null });
    // With `encoding: null` these are buffers, whatever node-pty's types say: the emulator splits characters right.
    this.#pty.onData((data) => {
      this.onOutput(data as unknown as Uint8Array);
      this.#emulator.write(data, () => this.#events.emit("drawn"));
    });
    // A real terminal answers the program's questions.
    this.#emulator.onData((answer) => this.#pty.write(answer));
    this.#exited = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode }) => {
        // Its last words are drawn first: whoever waited for its end reads them then.
        this.#emulator.write("", () => {
          this.#exitCode = exitCode;
          this.#events.emit("drawn");
          resolve(exitCode);
        });
      });
    });
  }

  /** The visible rows, without blanks at their ends. */
  get screen(): string {
    const { active } = this.#emulator.buffer;
    const row = (y: number) => active.getLine(active.baseY + y)?.translateToString(true) ?? "";
    return Array.from({ length: this.#emulator.rows }, (_, y) => row(y)).join("\n");
  }

  /** Inside a synchronized update rows are missing that are there before and after. */
  get #isMidDraw(): boolean {
    return this.#emulator.modes.synchronizedOutputMode;
  }

  get pid(): number {
    return this.#pty.pid;
  }

  get exited(): Promise<number> {
    return this.#exited;
  }

  press(keys: string): void {
    this.#pty.write(keys);
  }

  resize({ cols, rows }: TerminalSize): void {
    this.#emulator.resize(cols, rows);
    this.#pty.resize(cols, rows);
  }

  async waitFor(expected: RegExp, timeoutMs = HANG_MS): Promise<void> {
    await this.waitUntil((screen) => expected.test(screen), String(expected), timeoutMs);
  }

  async waitUntil(holds: (screen: string) => boolean, what: string, timeoutMs = HANG_MS): Promise<void> {
    const signal = AbortSignal.timeout(timeoutMs);
    while (this.#isMidDraw || !holds(this.screen)) {
      if (this.#exitCode !== null)
        throw new Error(`exited with ${this.#exitCode} before ${what}\n${this.screen}`);
      await once(this.#events, "drawn", { signal }).catch(() => {
        throw new Error(`not within ${timeoutMs} ms: ${what}\n${this.screen}`);
      });
    }
  }

  /**
   * Settles when nothing was drawn for a moment. Wait for this before you answer: for up to 300 ms after claude
   * 2.1 drew a dialog it drops Enter and digits, or lets them move the highlight (Esc and arrows work at once).
   */
  async settled(quietMs = QUIET_MS): Promise<void> {
    for (let quiet = false; !quiet;) {
      const signal = AbortSignal.timeout(quietMs);
      quiet = await once(this.#events, "drawn", { signal }).then(
        () => false,
        () => true,
      );
    }
  }

  /**
   * Settles when the program reads keys itself. claude 2.0 draws its box up to half a second before: what is typed until then is
   * echoed by the line discipline, which makes a line break of Enter.
   */
  async readsKeys(): Promise<void> {
    await this.waitUntil(() => this.#emulator.modes.bracketedPasteMode, "that it reads keys");
  }

  async submit(line: string): Promise<void> {
    await this.readsKeys();
    this.press(line);
    await this.waitUntil((screen) => screen.includes(line), `the echo of ${line}`);
    await this.settled();
    this.press(KEYS.enter);
    // The input box is the one line that begins with a mark and a no-break space.
    const inBox = (screen: string) =>
      screen.split("\n").some((row) => /^[❯>]\u00a0/.test(row) && row.includes(line));
    await this.waitUntil((screen) => !inBox(screen), `that the input box gives up ${line}`);
  }

  /** The window is closed: the program is told and has a moment to end. True if it did. */
  async hangUp(withinMs: number): Promise<boolean> {
    if (this.#exitCode === null) this.#pty.kill("SIGHUP");
    const late = new Promise<null>((resolve) => setTimeout(resolve, withinMs, null).unref());
    return (await Promise.race([this.#exited, late])) !== null;
  }

  /** Ends the program, the hard way if need be. */
  async close(): Promise<void> {
    if (this.#exitCode === null) this.#pty.kill("SIGKILL");
    await this.#exited;
    this.#emulator.dispose();
  }
}
