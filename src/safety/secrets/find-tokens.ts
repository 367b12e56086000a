/** Finds secrets by their own format, wherever they are. Every search is bounded: linear on any text. Pure. */
import { isAlnum, KEY_LENGTH, looksRandom, Runs, TOKEN_FORMATS, type TokenFormat } from "./formats.js";
import { createFound, type FoundSecret } from "./found.js";

const TOKEN_MAX = 4096;

export function findTokens(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  const runs = new Runs(text);
  let at = 0;
  while (at < text.length) {
    const token = isAlnum(text.charCodeAt(at)) ? findTokenAt(text, at, runs) : null;
    if (token) found.push(token);
    at = token ? token.end : findNextWord(text, at);
  }
  return found;
}

/** No token starts inside a word. */
function findNextWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && isAlnum(text.charCodeAt(at))) at++;
  while (at < text.length && !isAlnum(text.charCodeAt(at))) at++;
  return at;
}

function findTokenAt(text: string, at: number, runs: Runs): FoundSecret | null {
  // The longest prefix decides: an invalid `sk-ant-` token is not checked as another issuer's.
  const format = TOKEN_FORMATS.get(text.slice(at, at + KEY_LENGTH))?.find(({ prefix }) =>
    text.startsWith(prefix, at),
  );
  if (!format) return null;
  const start = at + format.prefix.length;
  const end = Math.min(runs.findEnd(start, format.alphabet), start + TOKEN_MAX);
  if (!isToken(text.slice(start, end), format) || isInBlob(text, at, format)) return null;
  const isWhole = format.exact && end - start === format.least;
  return { start, end, from: at, kind: "token", isByName: false, isWhole };
}

/** Issuers sometimes lengthen their tokens. A prefix of letters alone is reliable only with the known length. */
function isToken(token: string, { prefix, least, exact }: TokenFormat): boolean {
  if (exact && token.length === least) return new Set(token).size >= DISTINCT_MIN;
  if (exact && isLettersOnly(prefix)) return false;
  return token.length >= Math.min(least, exact ? EXACT_LEAST : least) && looksRandom(token);
}

const EXACT_LEAST = 16;

function isLettersOnly(prefix: string): boolean {
  return /^[A-Za-z0-9]+$/.test(prefix);
}

/** `AKIAXXXXXXXXXXXXXXXX` is a placeholder. */
const DISTINCT_MIN = 5;

/** With this many base64 characters before it, a prefix of letters alone is a coincidence. */
const BLOB_MIN = 24;
const BLOB = /^[A-Za-z0-9+/]{24}$/;

function isInBlob(text: string, at: number, { prefix }: TokenFormat): boolean {
  if (!isLettersOnly(prefix) || !/[+/]/.test(text[at - 1] ?? "")) return false;
  return at >= BLOB_MIN && BLOB.test(text.slice(at - BLOB_MIN, at));
}

/** Group 1 of the pattern stays readable, group 2 is hidden. `word` is in every match: a text without it is not searched. */
type TokenPattern = readonly [kind: FoundSecret["kind"], word: string, pattern: RegExp];

/** Formats with more than a prefix. */
const FORMS: readonly TokenPattern[] = [
  ["token", "eyJ", /\b()(eyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{8,4096}(?:\.[A-Za-z0-9_-]{0,4096}){1,3})/g],
  ["token", ":AA", /(?<!\d)(\d{6,12}:)(AA[A-Za-z0-9_-]{30,64})/g],
  ["token", ".", /\b()([MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})\b/g],
  ["token", ".atlasv1.", /\b()([A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70})/g],
  ["token", "pat", /\b(pat)([A-Za-z0-9]{14}\.[a-f0-9]{64})\b/g],
  ["key", "Q~", /(?<![A-Za-z0-9_~.-])()([A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34})(?![A-Za-z0-9_~.-])/g],
  ["key", "_mmk", /\b()([A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)\b/g],
  [
    "webhook address",
    "hooks.slack.com/",
    /\b(hooks\.slack\.com\/(?:services|workflows|triggers)\/)([A-Za-z0-9/_-]{10,256})/g,
  ],
  [
    "webhook address",
    "/webhooks/",
    /\b(discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{5,24}\/)([A-Za-z0-9_-]{20,128})/g,
  ],
  [
    "webhook address",
    "webhook.office.com/",
    /\b(webhook\.office\.com\/webhookb2\/)([A-Za-z0-9@/_-]{30,320})/g,
  ],
  ["webhook address", "hooks.zapier.com/", /\b(hooks\.zapier\.com\/hooks\/catch\/)([A-Za-z0-9/]{8,64})/g],
  [
    "signature",
    "=",
    /([?&](?:sig|signature|X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature)=)([A-Za-z0-9%+/=_.-]{20,2048})/gi,
  ],
  // The second half of a pair has no form of its own: it must mix all kinds of letters, which digests do not.
  [
    "key",
    "IA",
    /\b((?:AKIA|ASIA)[A-Z0-9]{16}\b[^]{1,64}?(?<![A-Za-z0-9+/]))((?=[^A-Z]{0,39}[A-Z])(?=[^a-z]{0,39}[a-z])[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/g,
  ],
  ["token", "AZDO", /\b()([A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})\b/g],
  // Azure marks its newer keys in their middle.
  ["key", "JQQJ99", /\b()([A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26})\b/g],
  ["key", "==", /(?<![A-Za-z0-9+/])()([A-Za-z0-9+/]{76}(?:\+ASt|\+ARm|ACDb|AIoT|AzSe)[A-Za-z0-9+/]{4,6}==)/g],
  ["token", "", /((?:azure|devops|visualstudio)[^]{1,160}?\b)([a-z2-7]{52})\b/gi],
  ["token", "", /\b()([a-z2-7]{52})\b(?=[^]{1,160}?(?:azure|visualstudio))/gi],
  ["key", "", /\b()(xprv[1-9A-HJ-NP-Za-km-z]{100,120}|[5KL][1-9A-HJ-NP-Za-km-z]{50,51})\b/g],
];

export function findForms(text: string): FoundSecret[] {
  return FORMS.filter(([, word]) => text.includes(word)).flatMap(([kind, , pattern]) =>
    [...text.matchAll(pattern)].map((match) => {
      const start = match.index + (match[1] ?? "").length;
      return createFound(kind, match.index, { start, end: match.index + match[0].length });
    }),
  );
}
