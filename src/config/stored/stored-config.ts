/**
 * Stores the configuration that a run has checked, so that the next run needs no YAML parser and no schema: they took a quarter of the time
 * until the tool's first byte (ADR 10). It is used only by the same build, for the same text and home. The hub, which decides who may
 * answer, never reads it.
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { isObject } from "../../model/data/json.js";
import { getOwnUid } from "../own-user.js";
import type { Config } from "../schema.js";
import { getBuildId } from "./build-id.js";
import { deepFreeze } from "./deep-freeze.js";

/** Longer text is parsed each time. */
export const STORED_CHARACTERS_MAX = 256 * 1024;
const OTHERS_MAY_ANYTHING = 0o077;
const PRIVATE_FILE_MODE = 0o600;
const SECRET_KEY = /token|secret|password|credential/i;
const REFERENCE = /^(?:\$\{[A-Za-z_]\w*\}|file:.*)$/s;

export interface ConfigSource {
  readonly text: string;
  readonly build?: string | null;
  /** The value of `~`. */
  readonly home?: string;
}

/** Null if there is none for this text. Never throws. */
export function readStoredConfig(file: string, source: ConfigSource): Config | null {
  const key = buildKey(source);
  if (key === null) return null;
  try {
    const [line, sum, body] = splitStored(readPrivateText(file));
    if (line !== key || sum !== checksum(body)) return null;
    const config: unknown = JSON.parse(body);
    return isObject(config) ? (deepFreeze(config) as Config) : null;
  } catch {
    return null;
  }
}

/** Never throws: without it the next run parses the text again. */
export function storeConfig(file: string, source: ConfigSource, config: Config): void {
  const key = buildKey(source);
  // A literal secret is not stored a second time.
  if (key === null || holdsSecret(config.channels)) return;
  const body = JSON.stringify(config);
  // JSON might not hold everything.
  if (body.length > STORED_CHARACTERS_MAX) return;
  const draft = `${file}.${process.pid}.new`;
  try {
    writeFileSync(draft, `${key}\n${checksum(body)}\n${body}`, { mode: PRIVATE_FILE_MODE, flag: "wx" });
    renameSync(draft, file);
  } catch {
    rmSync(draft, { force: true });
  }
}

function buildKey({ text, build = getBuildId(), home = readHome() }: ConfigSource): string | null {
  if (build === null || text.length > STORED_CHARACTERS_MAX) return null;
  return JSON.stringify([build, home, text.length, checksum(text)]);
}

function readHome(): string {
  try {
    return homedir();
  } catch {
    return "";
  }
}

function splitStored(stored: string): readonly [string, string, string] {
  const first = stored.indexOf("\n");
  const second = stored.indexOf("\n", first + 1);
  return [stored.slice(0, first), stored.slice(first + 1, second), stored.slice(second + 1)];
}

/** Errors: the file is not private to this user. */
export function readPrivateText(file: string): string {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = fstatSync(fd);
    const isOurs = found.isFile() && found.uid === getOwnUid() && (found.mode & OTHERS_MAY_ANYTHING) === 0;
    if (!isOurs || found.size > 4 * STORED_CHARACTERS_MAX) throw new Error("not a private file");
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}

function holdsSecret(value: unknown, key = ""): boolean {
  if (typeof value === "string") return SECRET_KEY.test(key) && !REFERENCE.test(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, item]) => holdsSecret(item, Array.isArray(value) ? key : name));
}

/**
 * Detects damage, not attackers: they could write the file as its owner. A cryptographic digest would load `crypto`, which takes 3 to 6 ms.
 */
function checksum(text: string): string {
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b);
    b ^= b >>> 15;
  }
  return `${(a >>> 0).toString(16)}-${(b >>> 0).toString(16)}`;
}
