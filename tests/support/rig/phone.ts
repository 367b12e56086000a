/** A person's phone: the cards that came, what stands on them, and a thumb. */
import { setTimeout as delay } from "node:timers/promises";
import type { Entity } from "../telegram/html.js";
import type { Message, TelegramEmulator, User } from "../telegram/emulator.js";

/** A person needs longer to read a card than the hub to learn that it was posted; after that long it does not learn it. */
const POSTED_LOOKS = 100;
const LOOK_EVERY_MS = 20;

export class Phone {
  readonly user: User;
  readonly #telegram: TelegramEmulator;
  readonly #isPosted: (messageId: number) => boolean;

  /** `isPosted`: whether the hub knows that its message came, without which a reply to it is a reply to nothing. */
  constructor(telegram: TelegramEmulator, user: User, isPosted: (messageId: number) => boolean = () => true) {
    this.#telegram = telegram;
    this.user = user;
    this.#isPosted = isPosted;
  }

  /** Cards of all sessions in the order of their arrival. Only cards carry a short id. */
  get cards(): readonly Card[] {
    return this.#posts
      .filter((message) => shortIdOn(message) !== "")
      .map(({ id }) => new Card(this.#telegram, this.user, id));
  }

  /** What came besides cards: notices and replies. */
  get notices(): readonly string[] {
    const cards = new Set(this.cards.map(({ id }) => id));
    return this.#posts
      .filter(({ id, document, photo }) => !cards.has(id) && !document && !photo)
      .map(({ text }) => text);
  }

  get #posts(): readonly Message[] {
    return this.#telegram.posts(this.user.id);
  }

  async card(label: string, nth = 1, timeoutMs?: number): Promise<Card> {
    const find = (): Card | undefined => this.cards.filter((card) => card.label === label)[nth - 1];
    const card = await this.#telegram.waitFor(find, `card ${nth} of ${label}`, timeoutMs);
    for (let looks = 0; looks < POSTED_LOOKS && !this.#isPosted(card.id); looks += 1)
      await delay(LOOK_EVERY_MS);
    return card;
  }

  /** The first file of that name. The words that go with it are the next message. */
  file(name: string): Promise<Buffer> {
    const find = (): Buffer | undefined =>
      this.#posts.find(({ document }) => document?.name === name)?.document?.data;
    return this.#telegram.waitFor(find, name);
  }

  /** The first picture of a terminal. */
  picture(): Promise<Buffer> {
    return this.#telegram.waitFor(() => this.#pictures[0]?.photo?.data, "a picture");
  }

  get pictures(): number {
    return this.#pictures.length;
  }

  get #pictures(): readonly Message[] {
    return this.#posts.filter(({ photo }) => photo !== null);
  }

  notice(pattern: RegExp): Promise<string> {
    return this.#telegram.waitFor(() => this.notices.find((text) => pattern.test(text)), String(pattern));
  }
}

/** Set in code type at the end of the line below the title; empty where there is none. */
function shortIdOn({ text, entities }: Message): string {
  const marked = entities.find(({ type, offset, length }) => {
    const [before, after] = [text.slice(offset - 3, offset), text.charAt(offset + length)];
    return type === "code" && length <= 4 && before === " · " && (after === "\n" || after === "");
  });
  return marked ? text.slice(marked.offset, marked.offset + marked.length) : "";
}

/** Buttons that are no choice of the prompt. */
const NO_ANSWERS = ["Deny and stop", "🔁 Ask again", "Yes for…"];

function isAnswer({ text, data }: { readonly text: string; readonly data: string }): boolean {
  return !data.startsWith("see:") && !NO_ANSWERS.includes(text);
}

export class Card {
  readonly id: number;
  readonly #telegram: TelegramEmulator;
  readonly #user: User;

  constructor(telegram: TelegramEmulator, user: User, id: number) {
    this.#telegram = telegram;
    this.#user = user;
    this.id = id;
  }

  get message(): Message {
    const message = this.#telegram.messages(this.#user.id).find(({ id }) => id === this.id);
    if (!message) throw new Error(`card ${this.id} is gone`);
    return message;
  }

  get text(): string {
    return this.message.text;
  }

  /** The answers: all but those that show the screen, that deny and stop, and that offer grants. */
  get buttons(): readonly string[] {
    const rows = this.message.buttons.filter((row) => row.some(isAnswer));
    return rows.map((row) => row.map(({ text }) => text).join(" | "));
  }

  /** What is to be approved, whole: from the file where the card could only hold a part of it. */
  get content(): string {
    const { replyTo } = this.message;
    const file = this.#telegram.messages(this.#user.id).find(({ id }) => id === replyTo)?.document;
    return file ? file.data.toString("utf8") : this.#readText("pre");
  }

  get isMarkedCut(): boolean {
    return this.text.includes("The content is truncated");
  }

  get shortId(): string {
    return shortIdOn(this.message);
  }

  /** The line below the title: `label · folder · short id`. */
  get label(): string {
    const line = this.text.split("\n").find((text) => text.endsWith(` · ${this.shortId}`)) ?? "";
    return line.split(" · ")[0] ?? "";
  }

  async pressWords(words: string, by: User = this.#user): Promise<string> {
    const row = this.message.buttons.findIndex(([button]) => button?.text === words);
    if (row < 0) throw new Error(`card ${this.id} has no button “${words}”; it shows\n${this.text}`);
    return this.press(row + 1, by);
  }

  /** Taps the button with these words, wherever it lies in its row. */
  pressKey(words: string): Promise<string> {
    const button = this.message.buttons.flat().find(({ text }) => text === words);
    if (!button) throw new Error(`card ${this.id} has no button “${words}”; it shows\n${this.text}`);
    return this.pressOld(button.data);
  }

  /** Taps the answer that has these words in it. */
  pressAnswer(words: string): Promise<string> {
    const row = this.buttons.findIndex((button) => button.includes(words));
    if (row < 0)
      throw new Error(`no “${words}” among ${this.buttons.join(" / ")} on card ${this.id}:\n${this.text}`);
    return this.press(row + 1);
  }

  /** Taps the button in this row (1-based); what pops up is the answer. */
  press(row: number, by: User = this.#user): Promise<string> {
    return this.#answerTo(by.press(this.id, row - 1, this.#user.id).id);
  }

  /** Taps a button that this person still sees although the card has changed since. */
  pressOld(data: string, by: User = this.#user): Promise<string> {
    return this.#answerTo(by.pressToken(this.id, data, this.#user.id).id);
  }

  get tokens(): readonly string[] {
    return this.message.buttons.flatMap((row) => row.filter(isAnswer).map(({ data }) => data));
  }

  reply(text: string): void {
    this.#user.send(text, { replyTo: this.id });
  }

  /** Answers the message that a button of this card opened for words. */
  async replyWhereAsked(text: string): Promise<void> {
    const find = (): Message | undefined =>
      this.#telegram.posts(this.#user.id).find(({ locked, replyTo }) => locked && replyTo === this.id);
    const request = await this.#telegram.waitFor(find, `card ${this.id} to ask for words`);
    this.#user.send(text, { replyTo: request.id });
  }

  /** The first line once the card shows an outcome that is final: no answer is left. */
  settled(timeoutMs?: number): Promise<string> {
    const look = (): string | false => this.buttons.length === 0 && this.message.edits > 0 && this.#firstLine;
    const what = (): string => `card ${this.id} to be settled; it shows\n${this.text}`;
    return this.#telegram.waitFor(look, what, timeoutMs);
  }

  /** The first line once it matches, final or not. */
  shows(pattern: RegExp, timeoutMs?: number): Promise<string> {
    const look = (): string | false => pattern.test(this.#firstLine) && this.#firstLine;
    return this.#telegram.waitFor(look, `${String(pattern)} on card ${this.id}`, timeoutMs);
  }

  get #firstLine(): string {
    return this.text.split("\n")[0] ?? "";
  }

  async #answerTo(queryId: string): Promise<string> {
    const { queries } = this.#telegram.world;
    const { text } = await this.#telegram.waitFor(() => queries.findAnswer(queryId), "the tap's answer");
    return text;
  }

  #readText(type: Entity["type"]): string {
    const entity = this.message.entities.find((found) => found.type === type);
    return entity ? this.text.slice(entity.offset, entity.offset + entity.length) : "";
  }
}
