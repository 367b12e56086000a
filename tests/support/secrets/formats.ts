/**
 * Secrets in the forms that their issuers document, made at run time: none stands in the repository. Each is what may not be read
 * (`core`) behind what may (`lead`).
 */
import { createHash } from "node:crypto";

export interface MadeSecret {
  readonly name: string;
  readonly lead: string;
  readonly core: string;
}

const SETS = {
  alnum: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  lower: "abcdefghijklmnopqrstuvwxyz0123456789",
  upper: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
  hex: "0123456789abcdef",
  digits: "0123456789",
  base32: "abcdefghijklmnopqrstuvwxyz234567",
  base58: "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789",
  // Without the signs at which a shell parses on: a secret ends there (ADR 26).
  symbols: "abcdefghijklmnopqrstuvwxyz0123456789!@#%^*-_=+",
  word: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
  base64: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
} as const;
type Set = keyof typeof SETS;

const WORDS = (
  "apple river stone cloud maple tiger ocean piano lemon grape house train " +
  "green light chair bread smile night horse music water plant storm brick"
).split(" ");

/** The same characters for the same seed, on every machine. */
export class Draw {
  #counter = 0;
  readonly #seed: string;

  constructor(seed: string) {
    this.#seed = seed;
  }

  below(limit: number): number {
    const digest = createHash("sha256").update(`${this.#seed}:${this.#counter++}`).digest();
    return digest.readUInt32BE(0) % limit;
  }

  of(set: Set, length: number): string {
    return Array.from({ length }, () => SETS[set][this.below(SETS[set].length)]).join("");
  }

  words(count: number): string {
    return Array.from({ length: count }, () => WORDS[this.below(WORDS.length)]).join(" ");
  }

  pickOne<T>(items: readonly [T, ...T[]]): T {
    return items[this.below(items.length)] ?? items[0];
  }
}

/** `set length` parts, joined by what stands between them: `hex 32`, `digits 12 - alnum 24`. */
const SIMPLE: readonly (readonly [name: string, lead: string, parts: string])[] = [
  ["GitHub token", "ghp" + "_", "alnum 36"],
  ["GitHub app token", "ghs" + "_", "alnum 36"],
  ["GitHub fine-grained token", "github" + "_pat_", "alnum 22 _ alnum 59"],
  ["GitLab token", "glp" + "at-", "word 20"],
  ["GitLab deploy token", "gld" + "t-", "word 20"],
  ["GitLab runner token", "glr" + "t-", "word 20"],
  ["npm token", "npm" + "_", "alnum 36"],
  ["PyPI token", "pypi" + "-AgEIcHlwaS5vcmc", "word 80"],
  ["RubyGems key", "rubygems" + "_", "hex 48"],
  ["Docker token", "dckr" + "_pat_", "word 27"],
  ["OpenAI key", "sk-" + "proj-", "word 74 T word 60"],
  ["older OpenAI key", "sk" + "-", "alnum 48"],
  ["Anthropic key", "sk-" + "ant-api03-", "word 93"],
  ["OpenRouter key", "sk-" + "or-v1-", "hex 64"],
  ["DeepSeek key", "sk" + "-", "hex 32"],
  ["Groq key", "gsk" + "_", "alnum 52"],
  ["xAI key", "xai" + "-", "alnum 80"],
  ["Perplexity key", "ppl" + "x-", "alnum 48"],
  ["Replicate token", "r8" + "_", "alnum 37"],
  ["Hugging Face token", "hf" + "_", "alnum 34"],
  ["NVIDIA key", "nv" + "api-", "word 64"],
  ["AWS key id", "AK" + "IA", "upper 16"],
  ["AWS session key id", "AS" + "IA", "upper 16"],
  ["Google API key", "AI" + "za", "word 35"],
  ["Google access token", "ya" + "29.", "word 120"],
  ["Google client secret", "GOC" + "SPX-", "word 28"],
  ["DigitalOcean token", "dop" + "_v1_", "hex 64"],
  ["Vault token", "hv" + "s.", "word 95"],
  ["Vault batch token", "hv" + "b.", "word 140"],
  ["SendGrid key", "S" + "G.", "alnum 22 . alnum 43"],
  ["Shopify token", "shp" + "at_", "hex 32"],
  ["Shopify secret", "shp" + "ss_", "hex 32"],
  ["Stripe key", "sk" + "_live_", "alnum 24"],
  ["Stripe restricted key", "rk" + "_live_", "alnum 99"],
  ["Stripe webhook secret", "wh" + "sec_", "alnum 32"],
  ["Slack bot token", "xo" + "xb-", "digits 12 - digits 12 - alnum 24"],
  ["Slack user token", "xo" + "xp-", "digits 12 - digits 12 - digits 12 - hex 32"],
  ["Slack app token", "xa" + "pp-1-", "upper 11 - digits 13 - hex 64"],
  ["Linear key", "lin" + "_api_", "alnum 40"],
  ["Notion token", "nt" + "n_", "digits 11 alnum 35"],
  ["Postman key", "PM" + "AK-", "hex 24 - hex 34"],
  ["New Relic key", "NR" + "AK-", "upper 27"],
  ["Databricks token", "da" + "pi", "hex 32"],
  ["Doppler token", "dp" + ".pt.", "alnum 43"],
  ["Grafana token", "gl" + "sa_", "alnum 32 _ hex 8"],
  ["Fly token", "fo" + "1_", "word 43"],
  ["Supabase token", "sb" + "p_", "hex 40"],
  ["PlanetScale password", "pscale" + "_pw_", "word 43"],
  ["Pulumi token", "pu" + "l-", "hex 40"],
  ["Sentry token", "sntr" + "yu_", "hex 64"],
  ["Figma token", "fig" + "d_", "word 40"],
  ["Tailscale key", "tskey" + "-auth-", "alnum 12 - alnum 32"],
  ["Atlassian token", "ATA" + "TT3", "word 180"],
  ["Brevo key", "xkey" + "sib-", "hex 64 - alnum 16"],
  ["Square token", "sq0" + "atp-", "word 22"],
  ["1Password token", "ops" + "_eyJ", "base64 250"],
  ["age key", "AGE-SECRET" + "-KEY-1", "upper 58"],
  ["Telegram bot token", "7123456789:", "A A word 33"],
  ["JSON web token", "", "e y J alnum 33 . e y J alnum 60 . word 43"],
  ["Terraform token", "", "alnum 14 .atlasv1. alnum 64"],
  ["Airtable token", "p" + "at", "alnum 14 . hex 64"],
];

export function formattedSecrets(draw: Draw): MadeSecret[] {
  return SIMPLE.map(([name, lead, parts]) => ({ name, lead, core: fillParts(draw, parts) }));
}

/** `hex 8 - words 2`: so many characters of a set, so many words, or the text itself. */
export function fillParts(draw: Draw, parts: string): string {
  const words = parts.split(" ");
  let text = "";
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word in SETS) text += draw.of(word as Set, Number(words[++at]));
    else if (word === "words") text += draw.words(Number(words[++at]));
    else text += word;
  }
  return text;
}
