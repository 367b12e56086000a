/** Injectable randomness, so that a test can replay a run. */
import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { customAlphabet } from "nanoid";
import { asId, type Nonce, type Token } from "../model/ids.js";

export interface Random {
  /** What each of its UUIDs and tokens contains; absent: nothing. */
  readonly mark?: string;
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
const createToken = customAlphabet(TOKEN_ALPHABET, 21);

export const systemRandom: Random = {
  uuid: createUuid,
  nonce: () => asId<Nonce>(randomBytes(16).toString("hex")),
  token: () => asId<Token>(createToken()),
  short: (length) => customAlphabet(SHORT_ALPHABET, length)(),
  fraction: () => randomInt(FRACTIONS) / FRACTIONS,
};

/** Node seeds `crypto` with these. */
const KERNEL_RANDOM = "/dev/urandom";
const UUID_BYTES = 16;

/** `crypto` takes 3 to 6 ms to load, and every run needs an id before its tool starts. */
function createUuid(): string {
  try {
    return formatUuid(readKernelRandom(UUID_BYTES));
  } catch {
    return randomUUID();
  }
}

/** Errors: where the system has no such file, or it gave too little. */
function readKernelRandom(length: number): Buffer {
  const fd = openSync(KERNEL_RANDOM, "r");
  try {
    const bytes = Buffer.alloc(length);
    if (readSync(fd, bytes, 0, length, null) !== length) throw new Error("too few random bytes");
    return bytes;
  } finally {
    closeSync(fd);
  }
}

function formatUuid(bytes: Buffer): string {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
