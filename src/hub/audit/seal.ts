/**
 * Keyed checkpoints: how long the chain was at an instant, and its last hash, under a key that does not lie in the database. The
 * chain alone shows what was changed; only a seal shows a tail that was cut, or a chain that was made anew (ADR 14). Pure.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { canonicalJson } from "./canonical.js";
import type { ChainHead } from "./chain.js";

export interface Seal {
  /** ms since 1970. */
  readonly at: number;
  /** Rows of the chain then. */
  readonly count: number;
  /** Hash of the last of them. */
  readonly head: string;
  /** Which key: the head of its digest, which tells nothing of the key. */
  readonly key: string;
  /** HMAC-SHA256 in hex over all the rest. */
  readonly mac: string;
}

/** Part of what is signed, so that nothing else that is ever signed with the key can pass for a seal. */
const PURPOSE = "atlasbridge audit checkpoint 1";
const KEY_ID_LENGTH = 16;

export function keyId(key: Buffer): string {
  return createHash("sha256").update(key).digest("hex").slice(0, KEY_ID_LENGTH);
}

export function sealHead(key: Buffer, at: number, { count, hash }: ChainHead): Seal {
  const open = { at, count, head: hash, key: keyId(key) };
  return { ...open, mac: macOf(key, open) };
}

/** Whether the holder of the key made it, just so. */
export function isGenuine(key: Buffer, { mac, ...open }: Seal): boolean {
  const expected = Buffer.from(macOf(key, open), "hex");
  const found = Buffer.from(mac, "hex");
  return found.length === expected.length && timingSafeEqual(found, expected);
}

function macOf(key: Buffer, { at, count, head, key: id }: Omit<Seal, "mac">): string {
  const covered = canonicalJson({ at, count, head, key: id, purpose: PURPOSE });
  return createHmac("sha256", key).update(covered).digest("hex");
}
