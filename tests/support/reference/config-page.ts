/** `docs/reference/config.md`: every key of the configuration, from its schema and the comments of `config.example.yaml`. */
import type { JsonSchema } from "@valibot/to-json-schema";
import { jsonSchemas } from "../schemas/json-schemas.js";
import { code, GENERATED, page, table } from "./markdown.js";
import { listRows, type KeyRow, type SchemaPage } from "./schema-rows.js";

const HEAD = ["Key", "Type", "Default", "Meaning"];
const TEXTS = {
  "^(\\d{1,6})(ms|s|m|h|d)$": "time (`30m`)",
  "^(?:[01][0-9]|2[0-3]):[0-5][0-9]$": 'time of day (`"22:00"`)',
};

export function configPage(): string {
  const schema = JSON.parse(jsonSchemas()["config.schema.json"] ?? "") as JsonSchema;
  const keys: SchemaPage = { definitions: {}, linked: [], texts: TEXTS };
  const rows = listRows(schema, keys);
  const sections = Object.keys(schema.properties ?? {}).map((name) => renderSection(name, rows));
  return page(
    "# Configuration",
    GENERATED,
    "One YAML file: `config.yaml` in `$ATLASBRIDGE_HOME`, else in `$XDG_CONFIG_HOME/atlasbridge`, else in `~/.config/atlasbridge`. Every section\nis optional, and an unknown key is an error. A time is a number with `ms`, `s`, `m`, `h` or `d`. [config.example.yaml](../../config.example.yaml) shows the whole file, and\n`schemas/config.schema.json` tells editors of it.",
    "A secret is named, not written: `${VARIABLE}`, or `file:PATH` relative to the file. Whoever can write this file decides who answers: see the\n[threat model](../explanation/threat-model.md).",
    "A mistake in a section is told with its line and what to write. In `adapters.acp` or `exec` a wrong value stops `exec` and ACP agents until\nit is corrected, and nothing else. In any other section it stops the hub from starting or reading the file again (a running one keeps what\nit has read), so that nothing is relayed to a wrong place. An unknown key stops both, wherever it stands, and so do keys or a list where\nsomething else belongs: they may be a section at a wrong place. Other tools start all the same. Agents read the sections that are right,\ntake defaults for the others, and say so, also with `--dry-run`.",
    ...sections,
  );
}

/** Only holds other keys: there is nothing to say of it. */
function isGroup([, type, , meaning]: KeyRow): boolean {
  return type === "keys" && meaning === "";
}

function renderSection(name: string, rows: readonly KeyRow[]): string {
  const isBelow = ([key]: KeyRow): boolean => key.startsWith(`\`${name}.`) || key.startsWith(`\`${name}[`);
  const own = rows.find(([key]) => key === code(name));
  const below = rows.filter((row) => isBelow(row) && !isGroup(row));
  const [, type = "", byDefault = "", meaning = ""] = own ?? [];
  const parts =
    below.length > 0
      ? [meaning, table(HEAD, below)]
      : [table(HEAD, [[code(name), type, byDefault, meaning]])];
  return page(`## ${name}`, ...parts).trimEnd();
}
