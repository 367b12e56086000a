/** A person at a recorded terminal. */
import { setTimeout as pause } from "node:timers/promises";
import type { RecordingEvent } from "../../../src/worker/screen/recording-event.js";
import type { RealTerminal } from "../real-cli/terminal.js";

/** Between two keys of a person in a hurry. */
const KEY_MS = 350;
/** Nothing is drawn for so long: what had to come has come. */
const STILL_MS = 700;
const STILL_WITHIN_MS = 6000;

type EventBody =
  | { readonly data_b64: string }
  | { readonly input_b64: string }
  | { readonly resize: readonly [cols: number, rows: number] };

export class Player {
  readonly cwd: string;
  /** What the person mentions so that the model plays its part. */
  readonly token: string;
  readonly #terminal: RealTerminal;
  readonly #events: RecordingEvent[] = [];
  readonly #start = performance.now();

  constructor(terminal: RealTerminal, cwd: string, name: string) {
    this.cwd = cwd;
    this.token = `[[${name}]]`;
    this.#terminal = terminal;
    this.#terminal.onOutput = (bytes) => this.#note({ data_b64: Buffer.from(bytes).toString("base64") });
  }

  get screen(): string {
    return this.#terminal.screen;
  }

  get events(): readonly RecordingEvent[] {
    return [...this.#events];
  }

  async see(expected: RegExp, timeoutMs?: number): Promise<void> {
    await this.#terminal.waitFor(expected, timeoutMs);
  }

  async gone(expected: RegExp): Promise<void> {
    await this.#terminal.waitUntil((screen) => !expected.test(screen), `${String(expected)} gone`);
  }

  /** Until nothing moves, or for a while where something always moves. */
  async still(quietMs = STILL_MS): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, STILL_WITHIN_MS).unref());
    await Promise.race([this.#terminal.settled(quietMs), late]);
  }

  async wait(ms: number): Promise<void> {
    await pause(ms);
  }

  /** One key, and a moment for the tool to act on it. */
  async key(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.type(key);
      await pause(KEY_MS);
    }
  }

  type(keys: string): void {
    this.#note({ input_b64: Buffer.from(keys).toString("base64") });
    this.#terminal.press(keys);
  }

  async say(line: string): Promise<void> {
    this.type(line);
    await this.still();
    await this.key("\r");
  }

  async resize(cols: number, rows: number): Promise<void> {
    this.#note({ resize: [cols, rows] });
    this.#terminal.resize({ cols, rows });
    await this.still();
  }

  async close(): Promise<void> {
    await this.#terminal.close();
  }

  #note(event: EventBody): void {
    const elapsed = Math.round((performance.now() - this.#start) * 10) / 10;
    this.#events.push({ t_ms: elapsed, ...event });
  }
}
