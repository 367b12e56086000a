/**
 * The formats of issuers' tokens: the fixed prefix that names the issuer, and the number and alphabet of the following
 * characters. Based on the gitleaks rules (MIT, v8.30) and the issuers' documentation (ADR 26); the prefix stays readable.
 */

/** Alphabets as bits, so that one table lookup classifies a character. */
const ALPHABET = { alnum: 1, hex: 2, word: 4, base64: 8, dotted: 16 } as const;
export type Alphabet = keyof typeof ALPHABET;

export interface TokenFormat {
  readonly prefix: string;
  readonly alphabet: Alphabet;
  readonly least: number;
  /** Exactly `least` characters follow. */
  readonly exact: boolean;
}

/** `alphabet least prefix prefix …`; `=` before the number: exactly this many. */
const TABLE = `
alnum =36 ghp_ gho_ ghu_ ghs_ ghr_ npm_ pnu_
alnum =16 AKIA ASIA ABIA ACCA
alnum =40 lin_api_ lin_oauth_
alnum =54 EZAK EZTK
alnum =32 cio
alnum =43 oy2
alnum =30 oauth:
alnum =57 GOOG1E
alnum =58 nsec1
alnum =58 AGE-SECRET-KEY-1
alnum =38 4b1d
alnum 16 sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ sm_aat_ sm_pat_ sm_sat_ LTAI r8_ gsk_ pplx- e2b_ sgp_ sgp_local_ rnd_ ntn_
alnum 20 hf_ api_org_ apify_api_ ABSK AKCp cmVmd CLOJARS_ secret_ bkua_ nfp_ AKID fc- jina_ cpk_ cal_live_
alnum 40 EAA IGQV
hex =32 dapi shpat_ shpca_ shppa_ shpss_ SK
hex 32 sqp_ squ_ sqa_ s-s4t2ud- s-s4t2af- dop_v1_ doo_v1_ dor_v1_ sntryu_ pul- rubygems_ sbp_ glptt- shippo_live_ shippo_test_ key- v1.0- bb_live_
word 16 github_pat_ glpat- gldt- glcbt- glffct- glft- glimt- glagent- gloas- glrt- glsoat- glptt- GR1348941
word 16 sk-ant- sk-proj- sk-svcacct- sk-admin- sk-or-v1- sk-or- sk- xai- nvapi- fw_ tvly- pcsk_ lsv2_pt_ lsv2_sk_ ls__ sb_secret_ aoai-
word 20 GOCSPX- pypi- dckr_pat_ dckr_oat_ figd_ figo_ tskey-auth- tskey-api- tskey-client- tskey- sq0atp- sq0csp- EAAA re_ phx_
word 32 glsa_ xkeysib- xsmtpsib-
word 20 NRAK- NRII- NRIQ- PMAK- HRKU- FLWSECK_TEST- FLWSECK- fio-u- fo1_ tk-us- rdme_ CCIPAT_ ATATT3 ATCTT3 ATBB sl.
word 10 xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxe.xoxb- xoxe.xoxp- xapp-
word 30 AIza 1//0 mfa.
base64 20 whsec_ glc_ fm1r_ fm1a_ fm2_ ops_ sntrys_ eyJrIjoi bedrock-api-key-
dotted 24 ya29. SG. hvs. hvb. hvr. dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dt0c01. dt0s01. pscale_tkn_ pscale_pw_ pscale_oauth_ pat. sat.
dotted 32 duffel_live_ duffel_test_ p8e- sha256~ A3-
`;

/** Prefixes are indexed by their first characters; none is shorter. */
export const KEY_LENGTH = 2;

export const TOKEN_FORMATS: ReadonlyMap<string, readonly TokenFormat[]> = indexFormats(
  TABLE.trim().split("\n").flatMap(parseFormats),
);

function parseFormats(line: string): TokenFormat[] {
  const [alphabet = "", count = "", ...prefixes] = line.split(" ");
  const exact = count.startsWith("=");
  const least = Number(exact ? count.slice(1) : count);
  return prefixes.map((prefix) => ({ prefix, alphabet: alphabet as Alphabet, least, exact }));
}

/** Longest prefix first: `sk-proj-` is tried before `sk-`. */
function indexFormats(formats: readonly TokenFormat[]): Map<string, TokenFormat[]> {
  const byKey = new Map<string, TokenFormat[]>();
  for (const format of formats) {
    const key = format.prefix.slice(0, KEY_LENGTH);
    byKey.set(key, [...(byKey.get(key) ?? []), format]);
  }
  for (const list of byKey.values()) list.sort((a, b) => b.prefix.length - a.prefix.length);
  return byKey;
}

const BITS = buildAlphabetBits();

function buildAlphabetBits(): Uint8Array {
  const bits = new Uint8Array(128);
  const members: readonly (readonly [Alphabet, RegExp])[] = [
    ["alnum", /[A-Za-z0-9]/],
    ["hex", /[A-Fa-f0-9-]/],
    ["word", /[A-Za-z0-9_-]/],
    ["base64", /[A-Za-z0-9+/_=-]/],
    ["dotted", /[A-Za-z0-9_.=-]/],
  ];
  for (let code = 0; code < bits.length; code++)
    for (const [name, member] of members)
      if (member.test(String.fromCharCode(code))) bits[code] = (bits[code] ?? 0) | ALPHABET[name];
  return bits;
}

/** Finds where runs of an alphabet end. Each run is scanned once, however many tokens are searched in it. */
export class Runs {
  readonly #text: string;
  readonly #known = new Map<Alphabet, { readonly start: number; readonly end: number }>();

  constructor(text: string) {
    this.#text = text;
  }

  /** `start` never decreases. */
  findEnd(start: number, alphabet: Alphabet): number {
    const known = this.#known.get(alphabet);
    if (known && known.start <= start && start < known.end) return known.end;
    const bit = ALPHABET[alphabet];
    let end = start;
    while (((BITS[this.#text.charCodeAt(end)] ?? 0) & bit) !== 0) end++;
    this.#known.set(alphabet, { start, end });
    return end;
  }
}

export function isAlnum(code: number): boolean {
  return ((BITS[code] ?? 0) & ALPHABET.alnum) !== 0;
}

const HEAD_LENGTH = 64;
/** Few distinct characters are a placeholder (`xxxx…`), letters of one case alone are words. */
const DISTINCT_MIN = 6;

/** `Machine-learn-2024`: separated words and numbers. The pattern is unambiguous, hence linear. */
const WORDS =
  /^(?:[A-Z]?[a-z]{1,64}|[A-Z]{1,64}|\d{1,4})(?:[-_.]+(?:[A-Z]?[a-z]{1,64}|[A-Z]{1,64}|\d{1,4}))*[-_.]*$/;

/** Judged by its characters. */
export function looksRandom(word: string): boolean {
  const head = word.slice(0, HEAD_LENGTH);
  const { digits, turns } = measureMixture(head);
  if (digits < 2 && turns < 4 && !(digits === 1 && turns >= 2)) return false;
  return new Set(head).size >= DISTINCT_MIN && !WORDS.test(head) && !(digits === 0 && isCamelCase(head));
}

/** `requiredTypesForDisplay`: random text changes case after two or three letters. */
const HUMP_MEAN = 4;

function isCamelCase(word: string): boolean {
  const humps = word.match(/[A-Z]?[a-z]{1,64}/g) ?? [];
  return humps.join("") === word && word.length >= HUMP_MEAN * humps.length;
}

const DIGIT = 1;
const LOWER = 2;
const UPPER = 3;

function measureMixture(word: string): { readonly digits: number; readonly turns: number } {
  let digits = 0;
  let turns = 0;
  let before = DIGIT;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    const sort = code >= 97 ? LOWER : code >= 65 ? UPPER : DIGIT;
    if (code >= 48 && code <= 57) digits++;
    else if (sort !== before && before !== DIGIT && sort !== DIGIT) turns++;
    before = sort;
  }
  return { digits, turns };
}
