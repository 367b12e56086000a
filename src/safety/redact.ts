/**
 * Hides secrets in everything that leaves the machine, is logged, or is kept for people to read. What is executed is untouched.
 * Plain digests (a sha256) are no secrets and stay readable: people approve by them.
 */

const MARK = "[redacted]";

interface Rule {
  readonly name: string;
  readonly pattern: RegExp;
  /** `$1` and `$2` keep what tells the reader which secret it was. */
  readonly replacement: string;
  /** It goes by the words before the secret; the secret itself may look like anything. */
  readonly byName?: true;
}

const NAMES =
  "password|passwd|passphrase|passcode|secret|(?:api|access|private)[ _-]?key|(?:auth|access)[ _-]?token";
/** What a prompt may say between the name and its colon: `Password for 'https://bob@host': `, `passphrase for key '…': `. */
const FOR_WHOM = "(?: for (?:key )?(?:'[^'\\n]{1,200}'|[^\\s:='\"]{1,128}))?";
const NAMED = `(?:${NAMES})${FOR_WHOM}["']? {0,4}[:=] {0,4}`;
const UNMARKED = "(?!\\[redacted\\])";
const VALUE = `${UNMARKED}[^\\s"',;)}]{1,256}`;

/**
 * The rest of a token on the rows below, where a dialog broke it at its edge: long, of letters and digits, behind a border at
 * most. A command on the next row is neither, and stays to be read.
 */
const NEXT_ROWS =
  "(?:\\n[ \\t│┃|]{0,8}(?=[A-Za-z_-]{0,200}[0-9])(?=[0-9_-]{0,200}[A-Za-z])[A-Za-z0-9_-]{16,}){0,40}";

function token(prefix: string, rest: string): RegExp {
  return new RegExp(`\\b(${prefix})${rest}${NEXT_ROWS}`, "g");
}

// All bounded and without nested repetition: linear on any input.
const RULES: readonly Rule[] = [
  {
    name: "private key block",
    // Not what is redacted already: a second run would take what follows a block for its rest.
    pattern:
      /-----BEGIN ([A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?)-----(?! \[redacted\])(?:[\s\S]{1,8192}?-----END \1-----|[\s\S]{1,8192})/g,
    replacement: `-----BEGIN $1----- ${MARK}`,
  },
  {
    name: "openai or anthropic key",
    pattern: token("sk-(?:ant-|proj-|svcacct-|admin-)?", "[A-Za-z0-9_-]{16,}"),
    replacement: `$1${MARK}`,
  },
  {
    name: "github token",
    pattern: token("gh[pousr]_|github_pat_", "[A-Za-z0-9_]{16,}"),
    replacement: `$1${MARK}`,
  },
  { name: "npm token", pattern: token("npm_", "[A-Za-z0-9]{20,}"), replacement: `$1${MARK}` },
  {
    name: "slack token",
    pattern: token("xox[abeprs]-|xapp-", "[A-Za-z0-9-]{10,}"),
    replacement: `$1${MARK}`,
  },
  { name: "gitlab token", pattern: token("glpat-", "[A-Za-z0-9_-]{16,}"), replacement: `$1${MARK}` },
  { name: "google key", pattern: token("AIza", "[A-Za-z0-9_-]{30,}"), replacement: `$1${MARK}` },
  { name: "hugging face token", pattern: token("hf_", "[A-Za-z0-9]{20,}"), replacement: `$1${MARK}` },
  {
    name: "slack webhook",
    pattern: /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/_-]{10,256}/g,
    replacement: `$1${MARK}`,
  },
  { name: "aws key id", pattern: /\b(AKIA|ASIA)[A-Z0-9]{16}\b/g, replacement: `$1${MARK}` },
  {
    name: "stripe key",
    pattern: token("(?:sk|rk)_(?:live|test)_", "[A-Za-z0-9]{16,}"),
    replacement: `$1${MARK}`,
  },
  {
    name: "telegram bot token",
    pattern: /(?<!\d)(\d{6,12}:)AA[A-Za-z0-9_-]{30,}/g,
    replacement: `$1${MARK}`,
  },
  {
    name: "jwt",
    pattern: /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{0,2048}/g,
    replacement: MARK,
  },
  {
    name: "credentials in a url",
    pattern: /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{1,128}:)[^\s@/]{1,256}@/gi,
    replacement: `$1${MARK}@`,
  },
  {
    name: "authorization header",
    pattern: /\b(authorization:? {0,4}(?:bearer|basic|token) {1,4})[^\s"']{4,2048}/gi,
    replacement: `$1${MARK}`,
  },
  {
    name: "password of a command",
    pattern:
      /(\bcurl [^\n|;&]{0,200}?-u ?["']?[^\s:"']{1,128}:|\bsshpass -p ?["']?)(?!\[redacted\])[^\s"']{1,256}/g,
    replacement: `$1${MARK}`,
    byName: true,
  },
  {
    name: "password of a database client",
    pattern:
      /(\b(?:mysql|mariadb)[a-z_-]{0,20} (?:[^\n|;&]{0,200}? )?-p["']?)(?!\[redacted\])[^\s"'-][^\s"']{0,256}/g,
    replacement: `$1${MARK}`,
    byName: true,
  },
  {
    name: "PIN",
    pattern: /(\bPIN["']? {0,4}[:=] {0,4}["']?)[0-9]{4,12}\b/gi,
    replacement: `$1${MARK}`,
  },
  {
    name: "secret after its flag",
    pattern: new RegExp(`(--(?:[a-z]{1,20}-){0,3}(?:${NAMES}|token) {1,4}["']?)${VALUE}`, "gi"),
    replacement: `$1${MARK}`,
    byName: true,
  },
  {
    name: "named secret in quotes",
    pattern: new RegExp(`(${NAMED}(["']))${UNMARKED}[^"'\\n]{1,256}(?=\\2)`, "gi"),
    replacement: `$1${MARK}`,
    byName: true,
  },
  {
    // Short values count too: a password is often short. The name may be a part of a longer word (DB_PASSWORD).
    name: "named secret",
    pattern: new RegExp(`(${NAMED}["']?)${VALUE}`, "gi"),
    replacement: `$1${MARK}`,
    byName: true,
  },
  {
    // "token" names many harmless things; its value counts when it is long.
    name: "named token",
    pattern: new RegExp(`(token["']? {0,4}[:=] {0,4}["']?)${UNMARKED}[^\\s"',;)}]{8,2048}`, "gi"),
    replacement: `$1${MARK}`,
    byName: true,
  },
];

/** The text with every known kind of secret replaced by `[redacted]`. Pure; running it twice changes nothing more. */
export function redact(text: string): string {
  return RULES.reduce((rest, rule) => rest.replace(rule.pattern, rule.replacement), text);
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Where secrets stand in a text, without the words that say what they are; in no order, and they may overlap. `byName` takes in
 * what only the words before it make a secret. Pure.
 */
export function secretSpans(text: string, { byName }: { readonly byName: boolean }): readonly Span[] {
  return RULES.filter((rule) => byName || !rule.byName).flatMap(({ pattern, replacement }) => {
    const [before = "", after = ""] = replacement.split(MARK);
    return [...text.matchAll(pattern)].map((match) => {
      const told = before.replace(/\$([12])/g, (_, group: string) => match[Number(group)] ?? "");
      // A replacement may set a blank before its mark that the text does not have.
      const length = match[0].startsWith(told) ? told.length : told.trimEnd().length;
      return { start: match.index + length, end: match.index + match[0].length - after.length };
    });
  });
}
