/**
 * The table of the older documents leaves nothing open: each row says yes and names where, or says otherwise and names the page that
 * gives the reason.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const PAGE = "docs/reference/seeds.md";
const CELLS = 4;
const DOCUMENTS = 5;

interface Row {
  readonly line: number;
  readonly asks: string;
  readonly here: string;
  readonly where: string;
}

/** The rows of the documents' tables, each of which has four cells; that of the three words has two. */
function listRows(page: string): Row[] {
  return page.split("\n").flatMap((text, index) => {
    const cells = text.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const [, section, asks = "", here = "", where = ""] = cells;
    const isHead = section === "Section" || /^-+$/.test(asks);
    return cells.length === CELLS + 2 && !isHead ? [{ line: index + 1, asks, here, where }] : [];
  });
}

/** Why a row leaves something open, or null. */
function findGap({ line, asks, here, where }: Row): string | null {
  const links = [...where.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, link = ""]) => join(dirname(PAGE), link));
  const named = [...where.matchAll(/`([\w./-]+)`/g)].map(([, path = ""]) => path);
  const isThere = [...links, ...named].some((path) => /[./]/.test(path) && existsSync(path));
  const told = `line ${line}, "${asks}"`;
  if (asks === "") return `${told}: it asks for nothing`;
  if (here === "yes") return isThere ? null : `${told}: no file or page is named that exists`;
  if (here !== "different" && here !== "no") return `${told}: "${here}" is neither yes, different nor no`;
  return links.some((link) => existsSync(link)) ? null : `${told}: no page gives the reason`;
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** The paths of all keys that hold no other keys. */
function listFields({ properties = {}, items, anyOf = [] }: Schema, path: readonly string[] = []): string[] {
  const below = [
    ...Object.entries(properties).flatMap(([key, own]) => listFields(own, [...path, key])),
    ...[...(items ? [items] : []), ...anyOf].flatMap((each) => listFields(each, path)),
  ].filter((field) => field !== path.join("."));
  return below.length > 0 ? [...new Set(below)] : [path.join(".")];
}

/** Names in back-ticks; one that begins with a dot is a neighbour of the one before it. */
function listNamed({ asks }: Row): string[] {
  const names: string[] = [];
  for (const [, name = ""] of asks.matchAll(/`([\w.]+)`/g)) {
    const last = names.at(-1) ?? "";
    names.push(name.startsWith(".") ? `${last.slice(0, last.lastIndexOf("."))}${name}` : name);
  }
  return names;
}

/** Each step of a sequence has the fields of a test. */
const OF_A_STEP = /^tests\.setup_sequence\./;

const page = readFileSync(PAGE, "utf8");

describe("the documents before it", () => {
  it("have a table each, in which no row is open", () => {
    const tables = page.split(/^## /m).slice(1).map(listRows);
    expect(tables.map((rows) => rows.length > 20)).toEqual(Array(DOCUMENTS).fill(true));
    expect(
      listRows(page)
        .map(findGap)
        .filter((gap) => gap !== null),
    ).toEqual([]);
  });

  it("name each field of the program schema", () => {
    const schema = JSON.parse(readFileSync("schemas/program.schema.json", "utf8")) as Schema;
    const fields = listFields(schema).filter((field) => !OF_A_STEP.test(field));
    const named = new Set(listRows(page).flatMap(listNamed));
    expect(fields.length).toBeGreaterThan(160);
    expect(fields.filter((field) => !named.has(field))).toEqual([]);
  });

  it.each([
    ["| 1 | x | yes | `src/no-such-file.ts` |", "no file or page is named"],
    ["| 1 | x | yes | `headless.tools` |", "no file or page is named"],
    ["| 1 | x | partial | `package.json` |", '"partial" is neither'],
    ["| 1 | x | different | `package.json` says so |", "no page gives the reason"],
    ["| 1 | x | no | because: [ADR](../adr/9999-none.md) |", "no page gives the reason"],
    ["| 1 |  | yes | `package.json` |", "it asks for nothing"],
  ])("would show that %s is open", (row, gap) => {
    expect(listRows(row).map(findGap)).toEqual([expect.stringContaining(gap)]);
  });

  it("count as closed with a file, a page or a reason", () => {
    const rows =
      "| 1 | x | yes | `package.json` |\n| 1 | y | no | [ADR](../adr/0049-deviations-from-older-documents.md) |";
    expect(listRows(rows).map(findGap)).toEqual([null, null]);
  });
});
