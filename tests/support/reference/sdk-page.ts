/** `docs/reference/sdk.md`: all that the package exports, with the docstring of each. */
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { code, GENERATED, page, table } from "./markdown.js";

export const ENTRIES = {
  "atlasbridge/sdk": "src/compat/index.ts",
  "atlasbridge/sdk/testing": "src/compat/testing/index.ts",
} as const;

/** A name that is exported under another one stands as `EightMethodAdapter as Adapter`. */
interface Exported {
  readonly name: string;
  readonly kind: string;
  /** Empty: it has no docstring. */
  readonly doc: string;
  /** The comment above it in the entry. */
  readonly section: string;
}

const EXPORT = /^(?:\/\/ (?<section>.*)|export (?:type )?\{(?<names>[^}]*)\} from "(?<from>[^"]+)";)$/gm;

export function listExports(entry: string): readonly Exported[] {
  let section = "";
  const lines = [...readFileSync(entry, "utf8").matchAll(EXPORT)];
  return lines.flatMap(({ groups = {} }) => {
    section = groups["section"] ?? section;
    const names = (groups["names"] ?? "").split(",").map((name) => name.trim().replace(/^type /, ""));
    const file = normalize(join(dirname(entry), groups["from"] ?? "")).replace(/\.js$/, ".ts");
    return names.filter((name) => name !== "").map((name) => ({ ...readDeclaration(file, name), section }));
  });
}

function readDeclaration(file: string, exported: string): Omit<Exported, "section"> {
  const [own = "", name = own] = exported.split(" as ");
  const text = readFileSync(file, "utf8");
  const declared = new RegExp(
    `(?:/\\*\\*(?<doc>(?:(?!\\*/)[\\s\\S])*)\\*/\\n)?export (?:abstract |async )*(?<kind>class|interface|type|function\\*?|const) ${own}\\b`,
  ).exec(text)?.groups;
  if (declared === undefined) throw new Error(`${file} declares no ${own}`);
  const doc = (declared["doc"] ?? "").replace(/\n \* ?/g, " ").trim();
  return { name, kind: (declared["kind"] ?? "").replace(/^interface$/, "type").replace("*", ""), doc };
}

export function sdkPage(): string {
  const parts = Object.entries(ENTRIES).flatMap(([specifier, entry]) => {
    const all = listExports(entry);
    const sections = [...new Set(all.map(({ section }) => section))];
    return [
      `## ${code(specifier)}`,
      ...sections.flatMap((section) => [
        section,
        table(
          ["Name", "Kind", "Meaning"],
          all
            .filter((each) => each.section === section)
            .map(({ name, kind, doc }) => [code(name), kind, doc]),
        ),
      ]),
    ];
  });
  return page(
    "# What the package exports",
    GENERATED,
    "For programs that keep the same contracts: [an adapter](../how-to/add-an-adapter.md#8-an-adapter-in-code) or\n[a channel](../how-to/add-a-channel.md). Fields and methods have their meaning in the type declarations, which are compiled by TypeScript 6 in\nour tests and need `@types/node`. The package is an ES module for Node 20.19 and later. What is not listed here cannot be imported.",
    ...parts,
  );
}
