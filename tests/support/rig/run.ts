/** One `atlasbridge run` in a terminal of its own, with the phone that its questions go to. */
import { RealTerminal, type TerminalSize } from "../real-cli/terminal.js";
import type { ToolCommand } from "../real-cli/claude.js";
import { eventually } from "../hub-home.js";
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

  /** Taps a choice that a tap alone does not take, and replies with the number that the window's title shows then. */
  async pressWithNumber(card: Card, row: number): Promise<void> {
    const told = await card.press(row);
    if (!told.includes("needs the number")) throw new Error(`a tap was enough: ${told}`);
    card.reply(await this.number(card));
  }

  /** Taps a choice as its person would: one that allows more than this once takes the number of the window's title, too. */
  async pressRow(card: Card, row: number): Promise<string> {
    const told = await card.press(row);
    if (told.includes("needs the number")) card.reply(await this.number(card));
    return told;
  }

  /** The number that the terminal shows for this card, in its title or in a conversation of ours, once it does. */
  number({ shortId }: Card): Promise<string> {
    const titles = new RegExp(`🔢 (?:[a-z0-9]+: \\d\\d, )*${shortId}: ([1-9][0-9])`, "g");
    return eventually(() => [...this.#text.matchAll(titles)].at(-1)?.[1] ?? null);
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
