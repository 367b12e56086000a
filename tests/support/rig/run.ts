/** One `atlasbridge run` in a terminal of its own, with the phone that its questions go to. */
import { RealTerminal, type TerminalSize } from "../real-cli/terminal.js";
import type { ToolCommand } from "../real-cli/claude.js";
import type { Card, Phone } from "./phone.js";

/** A tool that is deaf is killed 3 s after its terminal went away. */
const HANG_UP_WITHIN_MS = 10_000;

export class Run {
  /** Stands on every card of this session. */
  readonly label: string;
  readonly terminal: RealTerminal;
  readonly #phone: Phone;
  #text = "";

  constructor(label: string, command: ToolCommand, size: TerminalSize, phone: Phone) {
    this.label = label;
    this.terminal = new RealTerminal(command, size);
    this.#phone = phone;
    const decoder = new TextDecoder();
    this.terminal.onOutput = (bytes) => (this.#text += decoder.decode(bytes, { stream: true }));
  }

  /** All that ever came out on the terminal. */
  get text(): string {
    return this.#text;
  }

  /** The nth card (1-based) of this session. */
  card(nth = 1, timeoutMs?: number): Promise<Card> {
    return this.#phone.card(this.label, nth, timeoutMs);
  }

  get cards(): readonly Card[] {
    return this.#phone.cards.filter(({ label }) => label === this.label);
  }

  /** Closes the window and waits until the tool has ended with it. */
  async close(): Promise<void> {
    await this.terminal.hangUp(HANG_UP_WITHIN_MS);
    await this.terminal.close();
  }

  get exited(): Promise<number> {
    return this.terminal.exited;
  }
}
