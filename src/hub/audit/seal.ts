/**
 * Keyed checkpoints of the audit: the length and last hash of the chain at one instant, signed with a key that is stored
 * outside the database. The chain alone shows changed rows; only a seal shows a truncated or rebuilt chain (ADR 14). Pure.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { formatCanonicalJson } from "./canonical.js";
import type { ChainHead } from "./chain.js";

export interface Seal {
  readonly at: number;
  readonly count: number;
  readonly head: string;
  /** Identifies the key: the start of its digest, which reveals nothing about the key. */
  readonly key: string;
  readonly mac: string;
}

/** Part of the signed text, so that no other signature made with this key can pass for a seal. */
const PURPOSE = "atlasbridge audit checkpoint 1";
const KEY_ID_LENGTH = 16;

export function deriveKeyId(key: Buffer): string {
  return createHash("sha256").update(key).digest("hex").slice(0, KEY_ID_LENGTH);
}

export function sealHead(key: Buffer, at: number, { count, hash }: ChainHead): Seal {
  const open = { at, count, head: hash, key: deriveKeyId(key) };
  return { ...open, mac: signSeal(key, open) };
}

export function isGenuineSeal(key: Buffer, { mac, ...open }: Seal): boolean {
  const expected = Buffer.from(signSeal(key, open), "hex");
  const found = Buffer.from(mac, "hex");
  return found.length === expected.length && timingSafeEqual(found, expected);
}

function signSeal(key: Buffer, { at, count, head, key: id }: Omit<Seal, "mac">): string {
  const covered = formatCanonicalJson({ at, count, head, key: id, purpose: PURPOSE });
  return createHmac("sha256", key).update(covered).digest("hex");
}
