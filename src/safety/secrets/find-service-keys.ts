/** Finds values of keys that are named after their service: `MAILER_KEY=…`, `"mailer_key": "…"`, `mailerKey = "…"`. Linear. Pure. */
import { looksRandom } from "./formats.js";
import { createFound, type FoundSecret } from "./found.js";
import { readValue } from "./read-value.js";
import { isReference } from "./values.js";

const NAME_MAX = 48;
/** The whole name up to its separator: a key is assigned, or is in a list of settings. */
const NAMED_KEY = new RegExp(
  String.raw`(?<![A-Za-z0-9_-])([A-Za-z][A-Za-z0-9_-]{0,${NAME_MAX}}(?:[_-](?:key|KEY|Key)|(?<=[a-z0-9])Key))["'\]]{0,2} {0,4}(?::{1,3}=|\?=|=>|[:=])(?!=) {0,4}`,
  "g",
);
const HARMLESS = new Set(
  (
    "public pub cache primary foreign sort partition range hash idempotency dedup dedupe object routing row group index map lookup " +
    "registry translation message shortcut hot unique store storage entry event issue project query lock item i18n locale label " +
    "sequence record document bucket file path region cursor page parent child next last first meta order data state react " +
    "fingerprint checksum digest version build artifact image layer"
  ).split(" "),
);
const VALUE_MIN = 16;

export function findServiceKeys(text: string): FoundSecret[] {
  return [...text.matchAll(NAMED_KEY)].flatMap((match) => {
    const start = match.index + match[0].length;
    const value = isHarmless(match[1] ?? "") ? null : readValue(text, start);
    if (value === null || isReference(value) || !isRandomValue(value.text)) return [];
    return [createFound("key", match.index, value, true)];
  });
}

function isHarmless(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[_-]/);
  return HARMLESS.has(words.at(-2) ?? "");
}

function isRandomValue(value: string): boolean {
  return value.length >= VALUE_MIN && looksRandom(value);
}
