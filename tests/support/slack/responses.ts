/** Response addresses: each may be used five times within half an hour. */
import { randomUUID } from "node:crypto";
import { checkMessageBlocks } from "./blocks.js";
import type { Conversations } from "./conversations.js";
import { isJson, readText } from "./json.js";
import { Refusal } from "./refusal.js";

const USES_MAX = 5;
const LIFE_MS = 30 * 60_000;

interface Address {
  readonly channel: string;
  readonly user: string;
  readonly issuedAt: number;
  uses: number;
}

export class Responses {
  readonly #conversations: Conversations;
  readonly #addresses = new Map<string, Address>();
  readonly #lifeMs: number;

  constructor(conversations: Conversations, lifeMs = LIFE_MS) {
    this.#conversations = conversations;
    this.#lifeMs = lifeMs;
  }

  /** The path of a new address. */
  issue(channel: string, user: string): string {
    const path = `/actions/T0TEAM/${randomUUID()}`;
    this.#addresses.set(path, { channel, user, issuedAt: performance.now(), uses: 0 });
    return path;
  }

  /** Takes what an app sends there. Refuses as the service does: 404 with a word. */
  take(path: string, body: unknown): void {
    const address = this.#addresses.get(path);
    if (!address) throw new Refusal("no_such_url", { status: 404 });
    if (performance.now() - address.issuedAt > this.#lifeMs)
      throw new Refusal("expired_url", { status: 404 });
    if (++address.uses > USES_MAX) throw new Refusal("used_url", { status: 404 });
    if (!isJson(body)) throw new Refusal("invalid_payload", { status: 400 });
    if (body["replace_original"] === true || body["response_type"] !== "ephemeral")
      throw new Refusal("only ephemeral answers are expected of this app", { status: 500 });
    const text = readText(body["text"]);
    const blocks = body["blocks"] === undefined ? [] : checkMessageBlocks(body["blocks"]);
    if (text === "" && blocks.length === 0) throw new Refusal("no_text", { status: 400 });
    const threadTs = readText(body["thread_ts"]) || null;
    const { channel, user } = address;
    this.#conversations.ephemerals.push({ channel, user, threadTs, text, blocks, via: path });
  }
}
