/** `docs/reference/program-keys.md`: every key of a program file, from its schema. */
import type { JsonSchema } from "@valibot/to-json-schema";
import { jsonSchemas } from "../schemas/json-schemas.js";
import { code, GENERATED, page, table } from "./markdown.js";
import { listRows, type SchemaPage } from "./schema-rows.js";

const HEAD = ["Key", "Type", "Default", "Meaning"];

/** Values that many keys have. */
const VALUES: Readonly<Record<string, string>> = {
  expectation:
    "A regular expression for what a program printed in a test. `^` and `$` mean lines, and a dot takes line feeds.",
  keys: 'Bytes as they are written to the terminal: `"\\x03"`.',
  promptPattern:
    "A prompt. With `^` in front or `$` behind it is a regular expression that takes linear time; otherwise the text itself, in which `(?)` stands for a number.",
  wait: "Milliseconds, 0 to 600000.",
  word: "A text of at most 80 characters.",
  words: "A text of at most 4000 characters.",
};

export function programKeysPage(): string {
  const schema = JSON.parse(jsonSchemas()["program.schema.json"] ?? "") as JsonSchema;
  const definitions = schema.$defs as Readonly<Record<string, JsonSchema>>;
  const keys: SchemaPage = { definitions, linked: [], texts: {} };
  const properties = Object.entries(schema.properties as Readonly<Record<string, JsonSchema>>);
  const sections = properties.filter(([, own]) => findInner(own) !== null);
  const names = sections.map(([name]) => name);
  const top = listRows(schema, keys).filter(([key]) => properties.some(([name]) => key === code(name)));
  return page(
    "# Program keys",
    GENERATED,
    "The keys of `adapters/programs/<program>.yaml`, which says how a shell, an interpreter or a debugger is driven.\n[Add a program](../how-to/add-a-program.md) writes one, step by step. An unknown key is an error that names the line, the column and\nthe nearest known key. `schemas/program.schema.json` tells editors of the same keys. Files of the ripple adapter schema,\nversion 1, are read as they are.",
    "## The file",
    table(
      HEAD,
      top.map(([key, ...rest]) => {
        const name = key.replaceAll("`", "");
        return [names.includes(name) ? `[${key}](#${name})` : key, ...rest];
      }),
    ),
    ...sections.map(([name, own]) =>
      page(`## ${name}`, own.description ?? "", table(HEAD, listRows(findInner(own) ?? {}, keys))).trimEnd(),
    ),
    ...Object.keys(definitions).map((name) => page(`## ${name}`, VALUES[name] ?? "").trimEnd()),
  );
}

/** The keys of a section, or of each entry of a list of them. */
function findInner(schema: JsonSchema): JsonSchema | null {
  const items = schema.items as JsonSchema | undefined;
  return schema.properties ? schema : items?.properties ? items : null;
}
