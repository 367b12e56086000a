/** A session's console as a person uses it from the phone: each command is a reply to the message that it is open. */
import type { Rig } from "./rig.js";
import type { Run } from "./run.js";
import type { Message, User } from "../telegram/emulator.js";

const WAIT_MS = 30_000;

export class ChatConsole {
  readonly run: Run;
  readonly #rig: Rig;
  #seen = 0;

  constructor(rig: Rig, run: Run) {
    this.#rig = rig;
    this.run = run;
  }

  /** Starts the program with its console, and waits until the chat was told. */
  static async open(rig: Rig, label: string, ...command: string[]): Promise<ChatConsole> {
    const opened = new ChatConsole(rig, rig.run(command, { label, flags: ["--console"] }));
    await opened.next(/its console is open/);
    return opened;
  }

  async say(text: string, expected: RegExp = /./): Promise<string> {
    this.send(text);
    return this.next(expected);
  }

  send(text: string): void {
    const opening = this.#posts.find((post) => post.text.includes("its console is open"));
    this.#rig.phone.user.send(text, opening ? { replyTo: opening.id } : {});
  }

  /** The next message that matches; those before it are passed over. */
  next(expected: RegExp): Promise<string> {
    const find = (): string | undefined => {
      const at = this.#posts.findIndex(({ text }, index) => index >= this.#seen && expected.test(text));
      if (at < 0) return undefined;
      this.#seen = at + 1;
      return this.#posts[at]?.text;
    };
    const shown = (): string =>
      `${String(expected)}; the chat has\n${this.#posts.map(({ text }) => text).join("\n--\n")}\nand the terminal\n${this.run.text.slice(-2000)}`;
    return this.#rig.telegram.waitFor(find, shown, WAIT_MS);
  }

  /** The newest message that has buttons. */
  offer(): Promise<Message> {
    const find = (): Message | undefined => this.#posts.findLast(({ buttons }) => buttons.length > 0);
    return this.#rig.telegram.waitFor(find, "a message with buttons", WAIT_MS);
  }

  /** Taps a button of the newest message that has any, and gives the next message that matches. */
  async tap(label: string, expected: RegExp): Promise<string> {
    const offer = await this.offer();
    const told = await this.tapToken(offer, findButton(offer, label));
    if (told !== "") throw new Error(`a tap on ${label} was refused: ${told}`);
    return this.next(expected);
  }

  /** Taps a button that the message has, or had; what pops up is the answer. */
  async tapToken(message: Message, token: string, by: User = this.#rig.phone.user): Promise<string> {
    return (await by.pressToken(message.id, token, message.chatId).answered()).text;
  }

  /** The message as it stands now. */
  shown({ id }: Message): Message | undefined {
    return this.#posts.find((post) => post.id === id);
  }

  get #posts(): readonly Message[] {
    return this.#rig.telegram.posts(this.#rig.phone.user.id).filter(({ document }) => !document);
  }
}

/** The token of the button. */
export function findButton({ buttons, text }: Message, label: string): string {
  const button = buttons.flat().find((each) => each.text === label);
  if (!button) throw new Error(`no button ${label} under\n${text}`);
  return button.data;
}
