/** Injectable randomness, so that a test can replay a run. */
import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { customAlphabet } from "nanoid";
import { asId, type Nonce, type Token } from "../model/ids.js";

export interface Random {
  uuid(): string;
  /** 32 hex characters (128 bits: adapter spec §3.2). */
  nonce(): Nonce;
  /** 21 url-safe characters: with any of our prefixes it fits 64 bytes. */
  token(): Token;
  /** A few characters that people type; without look-alikes. */
  short(length: number): string;
  /** 0 ≤ x < 1, for jitter. */
  fraction(): number;
}

// No 0/o, 1/l/i: people read these aloud and type them on phones.
const SHORT_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const TOKEN_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
/** Distinct fractions: far finer than any delay in milliseconds. */
const FRACTIONS = 2 ** 32;
const tokenOf = customAlphabet(TOKEN_ALPHABET, 21);

export const systemRandom: Random = {
  uuid: () => randomUUID(),
  nonce: () => asId<Nonce>(randomBytes(16).toString("hex")),
  token: () => asId<Token>(tokenOf()),
  short: (length) => customAlphabet(SHORT_ALPHABET, length)(),
  fraction: () => randomInt(FRACTIONS) / FRACTIONS,
};
