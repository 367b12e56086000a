/** Finds secrets by the text before them: a name, a command's option, a header, a URL. Linear. Pure. */
import type { FoundSecret, SecretKind } from "./found.js";
import { looksRandom } from "./formats.js";
import { isLikelySecret, isProse, isReference, type Value } from "./values.js";

interface Name {
  readonly kind: SecretKind;
  /** Harmless values have this name too, so the value must look like a secret. */
  readonly isWeak: boolean;
}

const NAME =
  /pass(?:word|wd|phrase|code)|pwd|requirepass|secret|(?:api|access|private|account|encryption|signing|auth|client|master|license|app|service|session|shared)[ _-]{0,1}key|token|(?<![A-Za-z])_?auth(?![A-Za-z])|authorization|credential|cookie|\bPIN\b/gi;

function classifyName(name: string): Name {
  const word = name.toLowerCase();
  if (word === "pin") return { kind: "PIN", isWeak: false };
  if (word.startsWith("pass") || word === "pwd" || word === "requirepass")
    return { kind: "password", isWeak: false };
  if (word === "secret") return { kind: "secret", isWeak: false };
  if (/^(?:api|access|private|account|encryption|shared).?key$/.test(word))
    return { kind: "key", isWeak: false };
  if (word.endsWith("key")) return { kind: "key", isWeak: true };
  return { kind: word === "token" ? "token" : "secret", isWeak: true };
}

/** The rest of a longer name that still names the secret: `PASSWORD_PROD`, `secretKey`, `token_2`. */
const TAIL =
  /(?:[_-]?(?:access|key|token|value|val|data|base64|b64|prod|production|dev|staging|test|live|new|old|admin|root|user|master|main|ci|app|db|\d{1,3})){0,4}(?![A-Za-z0-9_])/iy;
/** Text that a prompt may have between the name and its colon: `Password for 'https://bob@host': `. */
const FOR_WHOM = /(?: for (?:key )?(?:'[^'\n]{1,200}'|[^\s:='"]{1,128}))?/y;
/** After a flag's name a blank is enough; `=>`, `:=`, `>` of an XML element, `" value="` of an attribute. */
const SEPARATOR = /\\?["'\]]{0,2} {0,4}(?::{1,3}=|\?=|=>|[:=]|>)(?!=) {0,4}|" value=(?=")/y;
const BLANKS = / {1,4}/y;
/** The whole option before the name: `--db-password`. */
const FLAG = /(?:^|\s)--?[A-Za-z-]{0,40}$/;
const SETS = /\b(?:set|configure set|IDENTIFIED BY|WITH|login \S{1,64}) \S{0,80}$/i;
const SCHEME = /(?:Bearer|Basic|Token|Digest|ApiKey|Bot) {1,4}/iy;
const BEFORE_MAX = 96;

export function findNamed(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { 0: name, index } of text.matchAll(NAME)) {
    // A name inside another secret names nothing.
    if (index >= (found.at(-1)?.end ?? 0)) found.push(...findNamedAt(text, name, index));
  }
  return found;
}

function findNamedAt(text: string, name: string, index: number): FoundSecret[] {
  const afterTail = skip(TAIL, text, index + name.length);
  if (afterTail === null) return [];
  const before = text.slice(Math.max(0, index - BEFORE_MAX), index);
  const start = findValueStart(text, afterTail, before);
  if (start === null) return [];
  const { kind, isWeak } = classifyName(name);
  const value = readValue(text, start);
  if (value === null) return [];
  const isPin = kind === "PIN";
  if (name.toLowerCase() === "secret" && (/\barn:[\w:/-]{0,80}:$/.test(before) || isWords(value.text)))
    return [];
  if (isPin ? !/^\d{4,12}$/.test(value.text) : !isSecret(value, isWeak)) return [];
  return [{ start: value.start, end: value.end, from: index, kind, isByName: true, isWhole: false }];
}

function isSecret(value: Value, isWeak: boolean): boolean {
  if (isReference(value) || isProse(value)) return false;
  return !isWeak || isLikelySecret(value.text);
}

/** The value of a secret's name is often another name: `--secret=db-password`. */
function isWords(text: string): boolean {
  return /^[a-z]{2,24}(?:[-_/.][a-z]{2,24}){1,6}$/.test(text);
}

/** Where the value after a name begins; null if none follows. */
function findValueStart(text: string, from: number, before: string): number | null {
  const afterWhom = skip(FOR_WHOM, text, from) ?? from;
  const afterSeparator = skip(SEPARATOR, text, afterWhom);
  if (afterSeparator !== null) return skip(SCHEME, text, afterSeparator) ?? afterSeparator;
  const afterBlanks = skip(BLANKS, text, from);
  if (afterBlanks === null) return null;
  if (FLAG.test(before) || SETS.test(before)) return afterBlanks;
  // `ALTER USER app PASSWORD 'x'`
  return /^['"]/.test(text.slice(afterBlanks, afterBlanks + 1)) ? afterBlanks : null;
}

function skip(pattern: RegExp, text: string, from: number): number | null {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match ? from + match[0].length : null;
}

type PlacedValue = Value & { readonly start: number; readonly end: number };

const QUOTE = /\\?(?:"|'|`)/y;
const BARE = /[^\s"'`,;)}[\]<>&|\\(]{1,2048}/y;
const QUOTED_MAX = 2048;
const REST_MAX = 64;

/** Reads one value: a quoted one up to its closing quote, otherwise up to the next blank. */
export function readValue(text: string, start: number): PlacedValue | null {
  const inside = skip(QUOTE, text, start);
  const quote = inside === null ? "" : text.slice(start, inside);
  // A backtick starts a shell command.
  if (quote === "`") return null;
  const from = inside ?? start;
  const end = quote === "" ? skip(BARE, text, from) : findQuoteEnd(text, from, quote);
  if (end === null || end === from) return null;
  return {
    text: text.slice(from, end),
    isQuoted: quote !== "",
    next: text[end] ?? "",
    rest: readRestOfLine(text, end),
    start: from,
    end,
  };
}

function findQuoteEnd(text: string, from: number, quote: string): number {
  const room = text.slice(from, from + QUOTED_MAX);
  const ends = [room.indexOf(quote), room.indexOf("\n"), room.length].filter((at) => at >= 0);
  return from + Math.min(...ends);
}

function readRestOfLine(text: string, at: number): string {
  return text.slice(at, at + REST_MAX).split("\n", 1)[0] ?? "";
}

/** The value follows immediately. `word` is in every match, so that a text without it is not searched. */
const COMMANDS: readonly { readonly word: string; readonly pattern: RegExp }[] = [
  {
    word: "curl ",
    pattern:
      /\bcurl (?:\\\n|[^\n|;&]){0,200}?(?:-u {0,4}|--(?:proxy-)?user[ =]{1,4})["']?[^\s:"'$`]{0,128}:/g,
  },
  { word: "sshpass ", pattern: /\bsshpass (?:-[a-oq-z] ){0,2}-p ?/g },
  { word: "zip ", pattern: /\b(?:zip|unzip) (?:-[A-Za-z]{1,4} ){0,3}-P ?/g },
  {
    word: "-p",
    pattern: /\b(?:mysql|mariadb)[a-z_-]{0,20} (?:[^\n|;&]{0,200}? )?-p(?=["']?[^\s"'-])/g,
  },
  { word: "redis-cli ", pattern: /\bredis-cli [^\n|;&]{0,120}?-a /g },
  {
    word: " login ",
    pattern: /\b(?:docker|podman|helm registry|az|oc|skopeo) login [^\n|;&]{0,160}?-p /g,
  },
  { word: "ldap", pattern: /\bldap[a-z]{3,10} [^\n|;&]{0,160}?-w /g },
  { word: "7z", pattern: /\b7za? [^\n|;&]{0,80}?-p(?=\S)/g },
  { word: "openssl ", pattern: /\bopenssl [^\n|;&]{0,200}?(?:pass:|-k )/g },
  { word: "htpasswd ", pattern: /\bhtpasswd -[a-zA-Z]{0,4}b[a-zA-Z]{0,4} \S{1,128} \S{1,64} /g },
  { word: "smbclient ", pattern: /\bsmbclient [^\n|;&]{0,160}?-U ?["']?[^\s%"']{1,64}%/g },
  { word: "vault login ", pattern: /\bvault login /g },
  { word: "chpasswd", pattern: /\becho ["']?[\w.-]{1,32}:(?=[^\n|;&]{1,128}\| {0,2}(?:sudo )?chpasswd)/g },
  { word: " BY ", pattern: /\bIDENTIFIED (?:WITH \S{1,40} )?BY (?=["'])/g },
  { word: " by ", pattern: /\bidentified (?:with \S{1,40} )?by (?=["'])/g },
  { word: "machine ", pattern: /\bmachine [\w.-]{1,128} {1,4}login \S{1,128} {1,4}password /g },
];

export function findInCommands(text: string): FoundSecret[] {
  return COMMANDS.filter(({ word }) => text.includes(word)).flatMap(({ pattern }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const value = readValue(text, match.index + match[0].length);
      if (value === null || isReference(value) || value.text.startsWith("-")) return [];
      return [
        {
          start: value.start,
          end: value.end,
          from: match.index,
          kind: "password" as const,
          isByName: true,
          isWhole: false,
        },
      ];
    }),
  );
}

const ADDRESS = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'$`?#]{0,128}:(?!\d{1,5}[/?#])([^\s@"'?#]{1,256})@/gi;
const BEARER = /\b(?:authorization["']? {0,4}[:=] {0,4}["']?)?(?:bearer|basic|token) {1,4}/gi;
const HEADER = /\bauthorization["']? {0,4}[:=] {0,4}["']?/i;
/** Credentials that tools store in files: `"auth": "…"` of docker, `client-key-data:` of kubectl, `X-Api-Key` of many. */
const STORED = /\b(?:client-key-data|tls\.key|identitytoken)["']?: {0,4}/gi;

export function findInAddresses(text: string): FoundSecret[] {
  const addresses = (text.includes("://") ? [...text.matchAll(ADDRESS)] : []).flatMap((match) => {
    const secret = match[1] ?? "";
    const end = match.index + match[0].length - 1;
    const start = end - secret.length;
    const value = { text: secret, isQuoted: true, next: "@", rest: "" };
    return /^[$<{[(%`]/.test(secret) || isReference({ ...value, text: `x${secret}` })
      ? []
      : [{ start, end, from: match.index, kind: "password" as const, isByName: false, isWhole: false }];
  });
  const headers = [...text.matchAll(BEARER)].flatMap((match) => {
    const value = readValue(text, match.index + match[0].length);
    if (value === null || isReference(value)) return [];
    const isHeader = HEADER.test(match[0]);
    if (!isHeader && (value.text.length < 16 || !looksRandom(value.text))) return [];
    if (isHeader && isProse(value)) return [];
    return [
      {
        start: value.start,
        end: value.end,
        from: match.index,
        kind: "token" as const,
        isByName: false,
        isWhole: false,
      },
    ];
  });
  const stored = [...text.matchAll(STORED)].flatMap((match) => {
    const value = readValue(text, match.index + match[0].length);
    if (value === null || isReference(value) || value.text.length < 16) return [];
    return [
      {
        start: value.start,
        end: value.end,
        from: match.index,
        kind: "key" as const,
        isByName: false,
        isWhole: false,
      },
    ];
  });
  return [...addresses, ...headers, ...stored];
}

const PHRASE =
  /\b(?:mnemonic|(?:seed|recovery|backup|secret|wallet)[ _-]?(?:phrase|words)|seed)["']? {0,4}(?:phrase)?[:=] {0,4}["']?((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})(?![a-z])/gi;

export function findPhrases(text: string): FoundSecret[] {
  return [...text.matchAll(PHRASE)].map((match) => {
    const end = match.index + match[0].length;
    const start = end - (match[1] ?? "").length;
    return { start, end, from: match.index, kind: "recovery phrase", isByName: false, isWhole: false };
  });
}
