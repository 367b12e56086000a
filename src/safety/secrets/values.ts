/** Whether the text after a secret's name is a reference to one: `$TOKEN`, `process.env.KEY`, `null`. */
import { looksRandom } from "./formats.js";

export interface Value {
  readonly text: string;
  readonly isQuoted: boolean;
  readonly next: string;
  readonly rest: string;
}

/** Names of types, null values, and placeholders for people. */
const WORDS = new Set(
  (
    "null none nil undefined true false string str number int integer boolean bool any unknown never object bytes byte char " +
    "required optional yes no empty unset hidden redacted masked prompt stdin env void text varchar type value example " +
    "placeholder todo tbd missing invalid wrong incorrect expired ok set not optional[str] secretstr const let var function async " +
    "await new return import export if is are was must should the a an your my this that in on for from of to and or with"
  ).split(" "),
);
const PLACEHOLDER =
  /^(?:sk-)?(?:your|my|change|insert|replace|put|enter|example|dummy|fake|sample|placeholder)(?:[-_ ]?[a-z]{2,12}){0,6}$/i;
const REPEATED = /^(?:x{2,}|(.)\1{3,})$/iu;
const NO_LETTER = /^[^\p{L}\p{N}]*$/u;
/** A reference to a variable, a template slot, or a shell expansion. */
const REFERENCE = /^(?:[$<{([%&*!]|\\\$|@\{|\{\{|vault:|op:\/\/|env:|file:|arn:|projects\/|ssm:|-----BEGIN)/;
/** `config.password`, `process.env.KEY`, `os.environ`, `self.token`: a path of names. */
const MEMBER = /^[A-Za-z_][A-Za-z_]{0,63}(?:(?:\?\.|\.|::|->)[A-Za-z_][A-Za-z_0-9]{0,63}){1,8}$/;
const IDENTIFIER = /^[A-Za-z_][A-Za-z_0-9.:?]{0,127}$/;
const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.@ -]{1,32}(?:[/\\][\w.@-]{1,32}){0,16}[/\\]?$/;
const FILE =
  /^[\w-]{1,48}(?:[/.][\w-]{1,32}){0,8}\.(?:pem|key|crt|cer|txt|json|ya?ml|env|toml|ini|ts|js|py|go|rs|sh|md|pub|asc|gpg|age)$/;
const URL = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;
/** An environment variable that is named, not read: `secret_key: APP_SECRET_KEY`. */
const CONSTANT = /^[A-Z][A-Z]{1,30}(?:_[A-Z]{1,30}){1,6}$/;

/** `clientSecret = isPublicClient ? …`, `type CommaToken = CommaToken$1;`: an identifier followed by code. */
const VARIABLE = /^[A-Za-z]?[a-z]{1,32}(?:[A-Z][a-z]{1,32}){1,8}(?:\$\d)?$/;
const CODE_GOES_ON = /^ {0,2}[;,?)]/;

/** Longer than words, without a capital or separator: not a name. */
const UNBROKEN = /^[a-z]{16,}$/;

/** References are short; a longer value is judged by its beginning. */
const HEAD_LENGTH = 256;

/** Values that cannot be a secret, whatever their name. */
export function isReference({ text: whole, isQuoted, next, rest }: Value): boolean {
  const text = whole.slice(0, HEAD_LENGTH);
  if (text === "" || NO_LETTER.test(text) || REPEATED.test(text) || REFERENCE.test(text)) return true;
  const word = text.toLowerCase().replace(/[.;:!?]$/, "");
  if (WORDS.has(word) || PLACEHOLDER.test(text) || URL.test(text) || isPath(text) || CONSTANT.test(text))
    return true;
  if (isQuoted) return false;
  if (MEMBER.test(text) || (VARIABLE.test(text) && CODE_GOES_ON.test(rest))) return true;
  // The end of an XML element; `Option<` continues with a name.
  if (rest.startsWith("</")) return false;
  return (
    (next === "(" || next === "[" || next === "<" || next === "{" || next === "|") && IDENTIFIER.test(text)
  );
}

function isPath(text: string): boolean {
  return (PATH.test(text) || FILE.test(text)) && !looksRandom(text.replace(/[/\\]/g, ""));
}

/** Prose after a colon: `Password: must be changed`. */
export function isProse({ text, isQuoted, rest }: Value): boolean {
  return (
    !isQuoted &&
    /^\p{L}?\p{Ll}{1,20}[,.]?$/u.test(text) &&
    /^ {1,2}[\p{L}(][\p{Ll}']{0,20}(?: |[,.]|$)/u.test(rest)
  );
}

/** For names with harmless values (`token`, `auth`). */
export function isLikelySecret(text: string): boolean {
  if (UNBROKEN.test(text)) return true;
  return text.length >= 8 && /\d|[A-Z]/.test(text) && /[A-Za-z]/.test(text) && looksLikeToken(text);
}

function looksLikeToken(text: string): boolean {
  return (
    looksRandom(text) ||
    (/^[\w+/=.~-]{8,}$/.test(text) && /\d/.test(text) && !/^v?\d{1,5}(?:[.:-]\d{1,5}){1,5}$/.test(text))
  );
}

/** Longer than names. */
const RANDOM_MIN = 12;

/** For words that only their place makes a secret. Digests and UUIDs occur there, too. */
export function isRandom(text: string): boolean {
  return text.length >= RANDOM_MIN && looksRandom(text) && !/^[0-9a-f-]+$/.test(text);
}
