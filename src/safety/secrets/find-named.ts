/** Finds secrets by the text before them: a name, a command's option, a header, a URL. Linear. Pure. */
import { createFound, type FoundSecret } from "./found.js";
import { looksRandom } from "./formats.js";
import { classifyName, listNames } from "./names.js";
import { readValue, skip } from "./read-value.js";
import { isLikelySecret, isProse, isRandom, isReference, type Value } from "./values.js";

/** The rest of a longer name that still names the secret: `PASSWORD_PROD`, `secretKey`, `token_2`. */
const TAIL =
  /(?:[_-]?(?:access|key|token|value|val|data|string|base|base64|b64|prod|production|dev|staging|test|live|new|old|admin|root|user|master|main|ci|app|db|\d{1,3})){0,4}(?![A-Za-z0-9_])/iy;
/** Text that a prompt may have between the name and its colon: `Password for 'https://bob@host': `, `Key 1: `, `Key [None]: `. */
const FOR_WHOM =
  /(?: (?:for|für|pour|para|de|del|di|per|voor|för|til|till|pro|dla|для) (?:key )?(?:'[^'\n]{1,200}'|[^\s:='"]{1,128}))?(?: ?\[[^\]\n]{1,40}\]| \([^)\n]{1,40}\)| \d{1,2}(?=:))?/y;
/** After a flag's name a blank is enough; `=>`, `:=`, `>` of an XML element, `" value="` of an attribute. */
const SEPARATOR = /\\?["'\]]{0,2}[ \u00a0]{0,4}(?::{1,3}=|\?=|=>|[:=：]|>)(?!=) {0,4}|" value=(?=")/y;
/** Other things follow them as well: `("password", "…")`, `PASSWORD('…')`, "the password is …". */
const WEAK_SEPARATOR = /["'], {0,4}(?=["'])|\((?=["'])| (?:is|ist|est|es|é|è) {1,4}/y;
const BLANKS = / {1,4}/y;
/** The whole option before the name: `--db-password`. */
const FLAG = /(?:^|\s)--?[A-Za-z-]{0,40}$/;
const SETS = /\b(?:set|configure set|IDENTIFIED BY|WITH|login \S{1,64}) \S{0,80}$/i;
const SCHEME = /(?:Bearer|Basic|Token|Digest|ApiKey|Bot) {1,4}/iy;
const BEFORE_MAX = 96;

export function findNamed(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { name, index } of listNames(text)) {
    // Skips names inside another secret.
    if (index >= (found.at(-1)?.end ?? 0)) found.push(...findNamedAt(text, name, index));
  }
  return found;
}

function findNamedAt(text: string, name: string, index: number): FoundSecret[] {
  const afterTail = skip(TAIL, text, index + name.length);
  if (afterTail === null) return [];
  const before = text.slice(Math.max(0, index - BEFORE_MAX), index);
  const place = findValuePlace(text, afterTail, before);
  if (place === null) return [];
  const { kind, isWeak } = classifyName(name);
  const value = readValue(text, place.start);
  if (value === null) return [];
  const isPin = kind === "PIN";
  if (name.toLowerCase() === "secret" && (/\barn:[\w:/-]{0,80}:$/.test(before) || isWords(value.text)))
    return [];
  if (isPin ? !/^\d{4,12}$/.test(value.text) : !isSecret(value, isWeak || place.isWeak)) return [];
  // After only a blank, other words may follow a name.
  if (place.isBare && !isRandom(value.text)) return [];
  return [createFound(kind, index, value, true)];
}

function isSecret(value: Value, isWeak: boolean): boolean {
  if (isReference(value) || isProse(value)) return false;
  return !isWeak || isLikelySecret(value.text);
}

/** The value of a secret's name is often another name: `--secret=db-password`. */
function isWords(text: string): boolean {
  return /^[a-z]{2,24}(?:[-_/.][a-z]{2,24}){1,6}$/.test(text);
}

interface ValuePlace {
  readonly start: number;
  /** Harmless values are common, too. */
  readonly isWeak: boolean;
  /** Nothing but a blank is between the name and it. */
  readonly isBare: boolean;
}

function findValuePlace(text: string, from: number, before: string): ValuePlace | null {
  const afterWhom = skip(FOR_WHOM, text, from) ?? from;
  const afterSeparator = skip(SEPARATOR, text, afterWhom);
  if (afterSeparator !== null)
    return { start: skip(SCHEME, text, afterSeparator) ?? afterSeparator, isWeak: false, isBare: false };
  const afterWeak = skip(WEAK_SEPARATOR, text, from);
  if (afterWeak !== null) return { start: afterWeak, isWeak: true, isBare: false };
  const start = skip(BLANKS, text, from);
  if (start === null) return null;
  // `ALTER USER app PASSWORD 'x'`
  const isSet = FLAG.test(before) || SETS.test(before) || /^['"]/.test(text.slice(start, start + 1));
  return { start, isWeak: false, isBare: !isSet };
}

const ADDRESS = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'$`?#]{0,128}:(?!\d{1,5}[/?#])([^\s@"'?#]{1,256})@/gi;
/** A token in the place of the user: `https://<token>@git.example.com`. */
const USER = /:\/\/([\w-]{20,256})@/g;
const BEARER =
  /\b(?:authorization["']? {0,4}[:=] {0,4}["']?(?:[a-z][\w-]{1,20} {1,4})?|(?:bearer|basic|token) {1,4})(?:token=)?/gi;
const HEADER = /\bauthorization["']? {0,4}[:=] {0,4}["']?/i;
/** Credentials that tools store in files: `"auth": "…"` of docker, `client-key-data:` of kubectl, `X-Api-Key` of many. */
const STORED = /\b(?:client-key-data|tls\.key|identitytoken)["']?: {0,4}/gi;

export function findInAddresses(text: string): FoundSecret[] {
  const addresses = (text.includes("://") ? [...text.matchAll(ADDRESS), ...text.matchAll(USER)] : []).flatMap(
    (match) => {
      const secret = match[1] ?? "";
      const end = match.index + match[0].length - 1;
      const value = { text: secret, isQuoted: true, next: "@", rest: "" };
      if (/^[$<{[(%`]/.test(secret) || isReference({ ...value, text: `x${secret}` })) return [];
      if (match[0].startsWith(":") && !looksRandom(secret)) return [];
      return [createFound("password", match.index, { start: end - secret.length, end })];
    },
  );
  const headers = [...text.matchAll(BEARER)].flatMap((match) => {
    const value = readValue(text, match.index + match[0].length);
    if (value === null || isReference(value)) return [];
    const isHeader = HEADER.test(match[0]);
    if (!isHeader && (value.text.length < 16 || !looksRandom(value.text))) return [];
    if (isHeader && isProse(value)) return [];
    return [createFound("token", match.index, value)];
  });
  const stored = [...text.matchAll(STORED)].flatMap((match) => {
    const value = readValue(text, match.index + match[0].length);
    if (value === null || isReference(value) || value.text.length < 16) return [];
    return [createFound("key", match.index, value)];
  });
  return [...addresses, ...headers, ...stored];
}

const PHRASE =
  /\b(?:mnemonic|(?:seed|recovery|backup|secret|wallet)[ _-]?(?:phrase|words)|seed)["']? {0,4}(?:phrase)?[:=] {0,4}["']?((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})(?![a-z])/gi;

export function findPhrases(text: string): FoundSecret[] {
  return [...text.matchAll(PHRASE)].map((match) => {
    const end = match.index + match[0].length;
    return createFound("recovery phrase", match.index, { start: end - (match[1] ?? "").length, end });
  });
}
