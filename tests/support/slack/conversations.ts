/** Channels, direct messages and what was said in them. */
import { at, isJson, readList, readText, type Json } from "./json.js";
import { Refusal } from "./refusal.js";

export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly data: Buffer;
}

export interface Message {
  readonly channel: string;
  readonly ts: string;
  /** A user id; the bot's own for ours. */
  readonly user: string;
  readonly text: string;
  readonly blocks: readonly Json[];
  /** The first message of its thread, or null. */
  readonly threadTs: string | null;
  /** A reply that is shown in the channel, too. */
  readonly broadcast: boolean;
  readonly edits: number;
  readonly file: StoredFile | null;
  /** Whom it rings: user ids, and `here`, `channel`, `everyone`. */
  readonly mentions: readonly string[];
}

/** Seen by one person, and not kept. */
export interface Ephemeral {
  readonly channel: string;
  readonly user: string;
  readonly threadTs: string | null;
  readonly text: string;
  readonly blocks: readonly Json[];
  /** The response address that it came through, if any. */
  readonly via: string | null;
}

export interface Conversation {
  readonly id: string;
  readonly kind: "channel" | "im";
  readonly members: Set<string>;
  archived: boolean;
  /** With another organisation (Slack Connect). */
  shared: boolean;
}

export class Conversations {
  readonly ephemerals: Ephemeral[] = [];
  readonly #all = new Map<string, Conversation>();
  readonly #messages: Message[] = [];
  /** In µs. */
  #clock = 0;

  open(id: string, kind: Conversation["kind"], members: readonly string[]): Conversation {
    const conversation = { id, kind, members: new Set(members), archived: false, shared: false };
    this.#all.set(id, conversation);
    return conversation;
  }

  get(id: string): Conversation | undefined {
    return this.#all.get(id);
  }

  /** A conversation that `user` may write to. */
  writable(id: unknown, user: string): Conversation {
    const conversation = this.#all.get(readText(id));
    if (!conversation) throw new Refusal("channel_not_found");
    if (!conversation.members.has(user)) {
      throw new Refusal(conversation.kind === "im" ? "channel_not_found" : "not_in_channel");
    }
    if (conversation.archived) throw new Refusal("is_archived");
    return conversation;
  }

  of(channel: string): readonly Message[] {
    return this.#messages.filter((message) => message.channel === channel);
  }

  find(channel: string, ts: string): Message | undefined {
    return this.#messages.find((message) => message.channel === channel && message.ts === ts);
  }

  add(message: Omit<Message, "ts" | "edits">): Message {
    const added = { ...message, threadTs: this.#findThread(message), ts: this.nextTs(), edits: 0 };
    this.#messages.push(added);
    return added;
  }

  replace(message: Message): Message {
    this.#messages[this.#messages.findIndex(({ ts }) => ts === message.ts)] = message;
    return message;
  }

  remove(channel: string, ts: string): void {
    const index = this.#messages.findIndex((message) => message.channel === channel && message.ts === ts);
    if (index >= 0) this.#messages.splice(index, 1);
  }

  nextTs(): string {
    this.#clock = Math.max(this.#clock + 100, Date.now() * 1000);
    return `${String(this.#clock).slice(0, 10)}.${String(this.#clock).slice(10)}`;
  }

  /** A reply to a message that is gone lands in the channel itself; a reply to a reply lands in its thread. */
  #findThread({ channel, threadTs }: Pick<Message, "channel" | "threadTs">): string | null {
    const root = threadTs === null ? undefined : this.find(channel, threadTs);
    return root ? (root.threadTs ?? root.ts) : null;
  }
}

export interface Parsing {
  /** How the service reads `text`: `none` reads only what is written in angle brackets. */
  readonly parse: string;
  readonly linkNames: boolean;
}

const BRACKETS = /<(?:@([UW][A-Z0-9]+)(?:\|[^>]*)?|!(here|channel|everyone)(?:\|[^>]*)?)>/g;
const NAMES = /(?<![\w<])@(here|channel|everyone)\b/g;

/** Whom a message rings, however that came into it. */
export function listMentions(text: string, blocks: readonly Json[], parsing: Parsing): readonly string[] {
  const found = [...inMarkup(text), ...blocks.flatMap(inBlock)];
  if (parsing.parse !== "none" || parsing.linkNames)
    found.push(...[...text.matchAll(NAMES)].map(([, name]) => name ?? ""));
  return [...new Set(found)];
}

function inMarkup(text: string): string[] {
  return [...text.matchAll(BRACKETS)].map(([, user, range]) => user ?? range ?? "");
}

function inBlock(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(inBlock);
  if (!isJson(value)) return [];
  if (value["type"] === "mrkdwn") return inMarkup(readText(value["text"]));
  if (value["type"] === "user") return [readText(value["user_id"])];
  if (value["type"] === "broadcast") return [readText(value["range"])];
  return Object.values(value).flatMap(inBlock);
}

/** All that can be read of blocks, in order; buttons in brackets. */
export function readable(blocks: readonly Json[]): string {
  return blocks.map(readableBlock).join("\n");
}

function readableBlock(block: Json): string {
  switch (block["type"]) {
    case "actions":
      return readList(block["elements"])
        .map((element) => `[${readText(at(element, "text", "text"))}]`)
        .join(" ");
    case "context":
      return readList(block["elements"])
        .map((element) => readText(at(element, "text")))
        .join(" ");
    case "rich_text":
      return readList(block["elements"]).map(readableRich).join("\n");
    case "input":
      return readText(at(block, "label", "text"));
    default:
      return readText(at(block, "text", "text"));
  }
}

function readableRich(part: unknown): string {
  const inner = readList(at(part, "elements"));
  return inner
    .map((element) => {
      if (at(element, "type") === "user") return `@${readText(at(element, "user_id"))}`;
      if (at(element, "type") === "link")
        return readText(at(element, "text")) || readText(at(element, "url"));
      return readText(at(element, "text"));
    })
    .join("");
}
