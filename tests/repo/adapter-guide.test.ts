/**
 * What docs/how-to/add-an-adapter.md shows can be copied: its files compile, the keys of its tables are keys of the section they are
 * given for, and every other key, value and line of YAML in it is one of the adapter format.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { LATER_SECTIONS, PROGRAM_FAMILIES } from "../../src/worker/adapter-format/adapter-file.js";
import { compileAdapter } from "../../src/worker/adapter-format/compiled/compile-rules.js";
import { jsonSchemas } from "../support/schemas/json-schemas.js";

const PAGE = "docs/how-to/add-an-adapter.md";

/** Where the keys of a table stand in an adapter file: by its heading, and of several tables below one heading in their order. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  "2. Describe the prompts": ["rules"],
  "3. Describe the rest": [""],
  Hooks: ["hooks"],
  Events: ["hooks.events"],
  Calls: ["hooks.calls", "hooks.calls.drawn"],
  "Attaching to a tool that runs in its terminal": ["coattach", "coattach", "coattach"],
  "A tool without its interface": ["headless"],
};

/** Words in code that belong to something else: folders, commands, keys of scenarios, and what the page says is refused. */
const OTHER_WORDS = [
  ...["adapters", "doctor", "ps", "mode", "agentRequests", "yes", "no", "on", "off"],
  ...["pty_output", "expected_count", "replies", ...LATER_SECTIONS, ...PROGRAM_FAMILIES],
];

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const root = JSON.parse(jsonSchemas()["adapter.schema.json"] ?? "") as Schema;

/** A schema, what it refers to, its variants, and what its lists and records hold. */
function listVariants(schema: Schema): Schema[] {
  const referred = schema.$ref === undefined ? undefined : root.$defs?.[schema.$ref.split("/").at(-1) ?? ""];
  const inner = typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : [];
  const below = [...(referred ? [referred] : []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...inner];
  return [schema, ...[...below, ...(schema.items ? [schema.items] : [])].flatMap(listVariants)];
}

function listKeys(path: string): Set<string> {
  const names = path === "" ? [] : path.split(".");
  const found = names.reduce(
    (schemas, name) =>
      schemas.flatMap(({ properties }) => (properties?.[name] ? listVariants(properties[name]) : [])),
    listVariants(root),
  );
  return new Set(found.flatMap(({ properties }) => Object.keys(properties ?? {})));
}

/** Every key and every value that the format knows, wherever. */
function listWords(schema: Schema): string[] {
  return listVariants(schema).flatMap((each) => [
    ...(each.enum ?? []).map(String),
    ...(each.const === undefined ? [] : [JSON.stringify(each.const).replaceAll('"', "")]),
    ...Object.entries(each.properties ?? {}).flatMap(([key, value]) => [key, ...listWords(value)]),
  ]);
}

const page = readFileSync(PAGE, "utf8");
const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text = ""]) => text);
const prose = page.replace(/^```[\s\S]*?^```/gm, "");
const known = new Set(listWords(root));

interface KeyTable {
  readonly heading: string;
  readonly keys: readonly string[];
}

/** The tables whose first column is headed "Key", with the keys of that column. */
function listKeyTables(text: string): KeyTable[] {
  let heading = "";
  let keys: string[] | null = null;
  const tables: KeyTable[] = [];
  for (const line of text.split("\n")) {
    heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading;
    if (!line.startsWith("|")) keys = null;
    else if (line.startsWith("| Key |")) tables.push({ heading, keys: (keys = []) });
    else keys?.push(...quoted(line.split(" | ")[0] ?? ""));
  }
  return tables;
}

function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
}

/** Keys that the format does not know in a line of YAML such as `live: [parked]`. */
function listUnknownKeys(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listUnknownKeys);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(known.has(key) ? [] : [key]),
    ...listUnknownKeys(inner),
  ]);
}

describe("the guide to adapter files", () => {
  it("shows files that hold", () => {
    expect(blocks.length).toBeGreaterThan(0);
    const [whole = ""] = blocks;
    // A rule that is shown alone goes behind those of the whole file.
    for (const block of blocks)
      expect(() => compileAdapter(block.startsWith("  - ") ? whole + block : block, PAGE)).not.toThrow();
  });

  it("says that a file is a program, as long as it may set variables that load code", () => {
    const env = ["LD_PRELOAD", "NODE_OPTIONS", "PATH"];
    const set = env.map((name) => `${name}: x`).join(", ");
    const file = `schema: 1\nname: a\nversion: 1.0.0\ndescription: a\nfamily: agent\nprocess: { env: { ${set} } }\nrules: []\n`;
    expect(Object.keys(compileAdapter(file, "a.yaml").process.env)).toEqual(env);
    const words = readFileSync(PAGE, "utf8");
    for (const name of ["An adapter file is a program", ...env]) expect(words).toContain(name);
  });

  it("names in each table only keys of the section that the table is of", () => {
    const tables = listKeyTables(prose);
    const counted = Object.values(SECTIONS).flat().length;
    expect(tables.length, "a table of keys has its section in SECTIONS").toBe(counted);
    const wrong = tables.flatMap(({ heading, keys }, index) => {
      const before = tables.slice(0, index).filter((each) => each.heading === heading).length;
      const own = listKeys(SECTIONS[heading]?.[before] ?? "none");
      expect(keys.length).toBeGreaterThan(0);
      return keys.filter((key) => !own.has(key)).map((key) => `${heading}: ${key}`);
    });
    expect(wrong).toEqual([]);
  });

  it("has no word in code that the format does not know", () => {
    const words = quoted(prose).filter((word) => /^[a-z]\w*$/.test(word));
    expect(words.length).toBeGreaterThan(100);
    expect(words.filter((word) => !known.has(word) && !OTHER_WORDS.includes(word))).toEqual([]);
  });

  it("has no line of YAML with a key that the format does not know", () => {
    const lines = quoted(prose).filter((word) => /^\{? ?[a-z_]+: /.test(word));
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.flatMap((line) => listUnknownKeys(parse(line.replace("…", "x"))))).toEqual([]);
  });
});
