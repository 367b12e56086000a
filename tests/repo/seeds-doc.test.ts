/**
 * docs/reference/seeds.md: every row that is not "yes" links the page that says why, every path that a row names is there, and every
 * key of the program format stands in exactly one row.
 */
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const PAGE = readFileSync("docs/reference/seeds.md", "utf8");
const PROGRAM_SCHEMA = "ripple adapter schema";
const PATH = /`((?:\.ci|adapters|docs|prompt-lab|src|tests)\/[\w./-]+)`/g;
/** The steps of a sequence take the expectations of a test. */
const REPEATED = /^tests\.setup_sequence\./;

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Section, demand, answer, place. */
const listRows = (text: string): string[][] =>
  [...text.matchAll(/^\| (.+) \| (.+) \| (yes|different|no) \| (.+) \|$/gm)].map((row) => row.slice(1));

/** Fields with the fields below them, by their paths. */
function listFields(schema: Schema, path = ""): Map<string, boolean> {
  const inner = [schema, schema.items, ...(schema.anyOf ?? [])].filter((each) => each !== undefined);
  const own = inner.flatMap((each) => Object.entries(each.properties ?? {}));
  return new Map(
    own.flatMap(([key, field]) => {
      const below = listFields(field, `${path}${key}.`);
      return [[`${path}${key}`, below.size === 0] as const, ...below];
    }),
  );
}

/** The names in code of one cell; one that begins with a dot is a neighbour of the one before it. */
function listNames(cell: string): string[] {
  const names: string[] = [];
  for (const [, name = ""] of cell.matchAll(/`([^`]+)`/g))
    names.push(name.startsWith(".") ? (names.at(-1) ?? "").replace(/\.\w+$/, name) : name);
  return names;
}

it("docs/reference/seeds.md links a page in every row that is not yes", () => {
  const rows = listRows(PAGE);
  expect(rows.length).toBeGreaterThan(250);
  const unargued = rows.filter(([, , here, where = ""]) => here !== "yes" && !/\]\([^)]+\.md/.test(where));
  expect(unargued).toEqual([]);
});

it("docs/reference/seeds.md names no path that is not there", () => {
  const paths = [...PAGE.matchAll(PATH)].map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(150);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

it("docs/reference/seeds.md names every key of the program format in one row, and no other", () => {
  const fields = listFields(JSON.parse(readFileSync("schemas/program.schema.json", "utf8")) as Schema);
  const [, section = ""] = PAGE.split(`\n## ${PROGRAM_SCHEMA}`);
  const named = listRows(section).flatMap(([, demand = ""]) => listNames(demand));
  expect(named.filter((name) => !fields.has(name))).toEqual([]);
  expect(named.filter((name, at) => named.indexOf(name) < at)).toEqual([]);
  const leaves = [...fields].flatMap(([name, isLeaf]) => (isLeaf && !REPEATED.test(name) ? [name] : []));
  expect(leaves.length).toBeGreaterThan(120);
  expect(leaves.filter((name) => !named.includes(name))).toEqual([]);
});
