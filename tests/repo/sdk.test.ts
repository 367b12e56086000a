/**
 * `atlasbridge/sdk`: the bundle holds what package.json exports, its types need no package of ours, and somebody else's adapter
 * compiles against them. `tests/pack/sdk.test.ts` shows the same with the package as it is installed.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type * as Sdk from "../../src/compat/index.js";
import { compile, copySource, makeConsumer } from "../support/pack/consumer.js";
import { ENTRIES, listExports } from "../support/reference/sdk-page.js";
import { makeTestFolder } from "../support/temporary-folder.js";
import { listFiles } from "./files.js";

const TYPES = "dist/types";

interface Target {
  readonly types: string;
  readonly default: string;
}

const { exports: targets } = JSON.parse(readFileSync("package.json", "utf8")) as {
  exports: Readonly<Record<string, Target>>;
};

function readDeclarations(): readonly (readonly [file: string, text: string])[] {
  const files = [...new Set(Object.values(ENTRIES))].map((entry) =>
    join(TYPES, entry.replace(".ts", ".d.ts")),
  );
  const done = new Map<string, string>();
  const visit = (file: string): void => {
    if (done.has(file)) return;
    const text = readFileSync(file, "utf8");
    done.set(file, text);
    for (const [, path = ""] of text.matchAll(/from "(\.[^"]+)"/g))
      visit(join(file, "..", path.replace(/\.js$/, ".d.ts")));
  };
  files.forEach(visit);
  return [...done];
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, "");

describe("what the package exports", () => {
  it.each(Object.entries(ENTRIES))("%s is there, as code and as types", async (specifier, entry) => {
    const { types, default: code } = targets[specifier.replace("atlasbridge", ".")] as Target;
    expect(types).toBe(`./${TYPES}/${entry.replace(".ts", ".d.ts")}`);
    const values = listExports(entry).filter(({ kind }) => /^(?:class|const|function)$/.test(kind));
    const loaded = (await import(join(process.cwd(), code))) as Readonly<Record<string, unknown>>;
    expect(Object.keys(loaded).sort()).toEqual(values.map(({ name }) => name).sort());
  });

  it("has a docstring for every name", () => {
    const all = Object.values(ENTRIES).flatMap(listExports);
    expect(all.length).toBeGreaterThan(80);
    expect(all.filter(({ doc }) => doc === "")).toEqual([]);
  });

  it("has types that name no package and hide nothing", () => {
    const lines = readDeclarations().flatMap(([file, text]) =>
      withoutComments(text)
        .split("\n")
        .filter((line) => /\bany\b(?!.*";$)|from "(?!\.|node:)/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(lines).toEqual([]);
  });

  it("finds prompts by the rules of the package", async () => {
    const path = join(process.cwd(), targets["./sdk"]?.default ?? "");
    const { asId, openDetector } = (await import(path)) as typeof Sdk;
    const detector = await openDetector("generic", { sessionId: asId("s") });
    expect(await detector.detect(Buffer.from("Continue? (y/n) "))).toMatchObject({ promptType: "yes_no" });
    await expect(openDetector("generik", { sessionId: asId("s") })).rejects.toMatchObject({
      code: "ATB_ADAPTER_UNKNOWN",
    });
  });

  it("is enough to compile somebody else's adapter", () => {
    const folder = makeTestFolder("atb-sdk");
    makeConsumer(folder);
    const installed = join(folder, "node_modules/atlasbridge");
    mkdirSync(installed);
    cpSync("package.json", join(installed, "package.json"));
    cpSync(TYPES, join(installed, TYPES), { recursive: true });
    for (const file of listFiles("docs/how-to/examples/line-tool").filter((name) => name.endsWith(".ts")))
      copySource(file, folder);
    const wrong = "// @ts-expect-error Its methods are missing.\nexport const wrong: Adapter = {};\n";
    writeFileSync(join(folder, "wrong.ts"), `import type { Adapter } from "atlasbridge/sdk";\n${wrong}`);
    expect(compile(folder)).toBe("");
  });

  it("is loaded by no program of ours", () => {
    const { outputs } = JSON.parse(readFileSync("dist/meta.json", "utf8")) as {
      outputs: Readonly<Record<string, { readonly imports: readonly { readonly path: string }[] }>>;
    };
    const imported = Object.entries(outputs)
      .filter(([file]) => !file.endsWith(".mjs"))
      .flatMap(([, { imports }]) => imports.map(({ path }) => path));
    expect(imported.filter((path) => path.endsWith(".mjs"))).toEqual([]);
    expect(existsSync("dist/sdk.mjs")).toBe(true);
  });
});
