/** Marks the ids of a hub's cards and buttons, because hubs with the same bot receive each other's taps. Pure. */
import { createHash } from "node:crypto";
import { asId, type Token } from "../../model/ids.js";
import type { Random } from "../../observe/random.js";

/** The last group of a UUID, in hex digits: 48 bits. With a token it fits into the 64 bytes of a Telegram button. */
const MARK_LENGTH = 12;
const UUID_LENGTH = 36;

export function computeHubMark(secret: Buffer): string {
  return createHash("sha256").update("hub mark\n").update(secret).digest("hex").slice(0, MARK_LENGTH);
}

/** Like `random`, but its tokens begin and its UUIDs end with `mark`: 74 random bits are left to a UUID. */
export function markIds(random: Random, mark: string): Random {
  return {
    ...random,
    mark,
    token: () => asId<Token>(`${mark}${random.token()}`),
    uuid: () => random.uuid().slice(0, UUID_LENGTH - mark.length) + mark,
  };
}
