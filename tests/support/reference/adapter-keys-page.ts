/** `docs/reference/adapter-keys.md`: every key of an adapter file, from its schema. */
import type { JsonSchema } from "@valibot/to-json-schema";
import { KEY_NAMES } from "../../../src/worker/adapter-format/key-names.js";
import { COMMON_KEYS, SHAPE_KEYS } from "../../../src/worker/adapter-format/rule-problems.js";
import { jsonSchemas } from "../schemas/json-schemas.js";
import { code, GENERATED, page, table } from "./markdown.js";
import { listRows, rowsOfVariants, type KeyRow, type SchemaPage } from "./schema-rows.js";

const HEAD = ["Key", "Type", "Default", "Meaning"];

/** Values that many keys have. */
const VALUES: Readonly<Record<string, string>> = {
  keyName: `A key: ${KEY_NAMES.map(code).join(", ")}, or one printable character.`,
  line: "One line of at most 200 characters.",
  ms: "Milliseconds, 0 to 60000.",
  path: "Names of fields from the outside in, joined by dots: `event.delta.text`.",
  pattern: "A regular expression. See [how patterns are written](../how-to/add-an-adapter.md#4-patterns).",
};

export function adapterKeysPage(): string {
  const schema = JSON.parse(jsonSchemas()["adapter.schema.json"] ?? "") as JsonSchema;
  const definitions = schema.$defs as Readonly<Record<string, JsonSchema>>;
  const linked = Object.keys(definitions).filter((name) => definitions[name]?.properties);
  const keys: SchemaPage = { definitions, linked, texts: {} };
  const properties = schema.properties as Readonly<Record<string, JsonSchema>>;
  const sections = Object.entries(properties).filter(([name, own]) => name !== "defaults" && isSection(own));
  const names = sections.map(([name]) => name);
  const top = listRows(schema, keys).filter(([key]) =>
    Object.keys(properties).some((name) => key === code(name)),
  );
  return page(
    "# Adapter keys",
    GENERATED,
    "The keys of `adapters/<tool>.yaml`. [Add an adapter](../how-to/add-an-adapter.md) shows how to write one. An unknown key is an error\nthat names the line, the column and the nearest known key. `schemas/adapter.schema.json` tells editors of the same keys.",
    "## The file",
    table(
      HEAD,
      top.map(([key, ...rest]) => [findLink(key, names), ...rest]),
    ),
    ...sections.map(([name, own]) =>
      page(
        `## ${name}`,
        own.description ?? "",
        table(HEAD, below(own, keys)),
        ...(name === "rules" ? [shapeSection()] : []),
      ).trimEnd(),
    ),
    ...linked.map((name) =>
      page(`## ${name}`, table(HEAD, listRows(definitions[name] ?? {}, keys))).trimEnd(),
    ),
    ...Object.keys(definitions)
      .filter((name) => !linked.includes(name))
      .map((name) => page(`## ${name}`, VALUES[name] ?? "").trimEnd()),
  );
}

/** Which keys of a rule each shape reads; any other is refused in a rule of that shape. */
function shapeSection(): string {
  return page(
    "### Keys of each shape",
    `Every shape reads ${COMMON_KEYS.map(code).join(", ")}. Any other key that is not in its row is refused in a rule of that shape; in \`defaults\` it stands for those that read it.`,
    table(
      ["Shape", "Also reads"],
      Object.entries(SHAPE_KEYS).map(([shape, own]) => [code(shape), own.map(code).join(", ")]),
    ),
  ).trimEnd();
}

/** Has keys of its own below it. */
function isSection({ properties, oneOf, anyOf, items }: JsonSchema): boolean {
  const inner = (items as JsonSchema | undefined)?.properties;
  return Boolean(
    properties ?? oneOf ?? inner ?? (anyOf as JsonSchema[] | undefined)?.some((each) => each.properties),
  );
}

/** Rows of what stands below a section, without the section's own name. */
function below({ oneOf, anyOf, items, ...own }: JsonSchema, keys: SchemaPage): KeyRow[] {
  if (oneOf) return rowsOfVariants(oneOf as JsonSchema[], keys, "");
  const [inner] = [items, ...(anyOf ?? []), own].filter(
    (each) => (each as JsonSchema | undefined)?.properties,
  );
  return listRows(inner as JsonSchema, keys);
}

function findLink(key: string, sections: readonly string[]): string {
  const name = key.replaceAll("`", "");
  if (name === "defaults") return `[${key}](#rules)`;
  return sections.includes(name) ? `[${key}](#${name})` : key;
}
