/**
 * The source keeps the rules of its architecture: imports follow the table of
 * docs/explanation/architecture.md, no files import each other in a circle, and
 * files and folders stay small.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { listFiles } from "./files.js";

/** Every other folder of `src` may import these. */
const BASE_FOLDERS = ["src/wire", "src/model", "src/sdk", "src/safety", "src/config", "src/observe"];

/** Heavy packages, and the only folders that may name them: a worker must start fast and stay small. */
const HEAVY_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  telegraf: ["channels/telegram"],
  "@slack/bolt": ["channels/slack"],
  undici: ["channels/slack", "src/worker/loopback"],
  "better-sqlite3": ["src/hub"],
  koffi: ["src/observe", "src/worker/process", "src/worker/pty"],
  pino: ["src/observe", "src/app"],
  "node-pty": ["src/worker/pty"],
  "@xterm/headless": ["src/worker/screen"],
  "@agentclientprotocol/sdk": ["src/worker/integrations/acp"],
  "@modelcontextprotocol/sdk": ["src/worker/integrations/mcp"],
  "@earendil-works/pi-tui": ["src/cli/watch", "src/demo"],
  "@resvg/resvg-js": ["src/hub/picture"],
  qr: ["src/cli/setup"],
  re2js: ["src/hub/policy"],
  unbash: ["src/hub/policy"],
};

/** The longest folder that holds a file wins. npm packages are not in the table. */
const FOLDERS = readFolderTable();

/** The rows `| folder | what it holds | may import |` of the page. Names leave out `src/`. */
function readFolderTable(): Readonly<Record<string, readonly string[]>> {
  const [, section = ""] = readFileSync("docs/explanation/architecture.md", "utf8").split("\n## Folders\n");
  const rows = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| `"));
  const pathsIn = (cell = ""): string[] =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) =>
      existsSync(`src/${name}`) ? `src/${name}` : name,
    );
  return Object.fromEntries(
    rows.map((row) => {
      const [, folder, , may] = row.split("|");
      return [pathsIn(folder)[0] ?? "", pathsIn(may)];
    }),
  );
}

const EXPORTED_TYPE = /^export (?:abstract )?(?:class|interface|type) ([A-Z]\w*)/gm;
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g;

function sourceFiles(): string[] {
  return listFiles("src", "adapters", "channels", "docs/how-to/examples", "prompt-lab").filter((file) =>
    file.endsWith(".ts"),
  );
}

function findFolder(file: string): string | null {
  const folders = Object.keys(FOLDERS).filter((folder) => file === folder || file.startsWith(`${folder}/`));
  return folders.sort((a, b) => b.length - a.length)[0] ?? null;
}

function listImports(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(IMPORT)].map((match) => match[1] ?? "");
}

function allowed(folder: string): readonly string[] {
  const isAbove = folder.startsWith("src/") && !BASE_FOLDERS.includes(folder);
  return [folder, ...(FOLDERS[folder] ?? []), ...(isAbove ? BASE_FOLDERS : [])];
}

function isPlugin(folder: string): boolean {
  return folder === "channels" || folder === "adapters";
}

function breach(file: string, specifier: string): string | null {
  const folder = findFolder(file);
  if (!folder) return `${file} is in no folder of the table`;
  if (specifier.startsWith(".")) {
    const target = normalize(join(dirname(file), specifier)).replace(/\.js$/, ".ts");
    if (isPlugin(folder) && target.startsWith(`${folder}/`)) {
      const [, own] = file.split("/");
      const isIndex = file === "adapters/index.ts";
      return target.split("/")[1] === own ||
        isIndex ||
        (folder === "channels" && target.split("/").length === 2)
        ? null
        : `${file} imports another plugin: ${target}`;
    }
    const ok = allowed(folder).some((place) => target === place || target.startsWith(`${place}/`));
    return ok ? null : `${file} may not import ${target}`;
  }
  const heavy = Object.keys(HEAVY_PACKAGES).find(
    (name) => specifier === name || specifier.startsWith(`${name}/`),
  );
  const places = heavy === undefined ? [] : (HEAVY_PACKAGES[heavy] ?? []);
  if (heavy !== undefined && !places.some((place) => file.startsWith(`${place}/`)))
    return `${file} may not import ${heavy}`;
  if (folder === "src/model") return `${file} imports ${specifier}, and model imports nothing`;
  return null;
}

/** Files that this one imports, for types too. */
function importedFiles(file: string): string[] {
  return listImports(file)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => normalize(join(dirname(file), specifier)).replace(/\.js$/, ".ts"));
}

/** The first circle that is found, from a file back to itself; null where there is none. */
function findCircle(imports: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const search = (file: string, way: readonly string[]): string[] | null => {
    const at = way.indexOf(file);
    if (at >= 0) return [...way.slice(at), file];
    if (done.has(file)) return null;
    for (const next of imports.get(file) ?? []) {
      const circle = search(next, [...way, file]);
      if (circle) return circle;
    }
    done.add(file);
    return null;
  };
  for (const file of imports.keys()) {
    const circle = search(file, []);
    if (circle) return circle;
  }
  return null;
}

/** Composition only: what a command does beside joining objects has a folder of its own. */
const APP_LINES_MAX = 3_020;

/** A folder with more files is named in the output: it is hard to read as one list, but nothing fails for it. */
const FOLDER_FILES_ADVISED = 24;

describe("the architecture of the source", () => {
  const files = sourceFiles();

  beforeAll(() => {
    const sizes = new Map<string, number>();
    for (const folder of files.map((file) => dirname(file))) sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
    for (const [folder, count] of sizes)
      if (count > FOLDER_FILES_ADVISED)
        console.warn(`${folder} has ${count} files; ${FOLDER_FILES_ADVISED} are advised`);
  });

  it("has files, and every folder of the table", () => {
    expect(files.length).toBeGreaterThan(10);
    expect(Object.keys(FOLDERS).length).toBeGreaterThan(40);
    expect(Object.keys(FOLDERS).filter((folder) => !existsSync(folder))).toEqual([]);
  });

  it("composes in few lines: src/app", () => {
    const lines = files
      .filter((file) => file.startsWith("src/app/"))
      .reduce((sum, file) => sum + readFileSync(file, "utf8").split("\n").length - 1, 0);
    expect(lines).toBeLessThanOrEqual(APP_LINES_MAX);
  });

  it("keeps every import inside the table", () => {
    const breaches = files.flatMap((file) => listImports(file).map((specifier) => breach(file, specifier)));
    expect(breaches.filter((line) => line !== null)).toEqual([]);
  });

  it("reports an import outside the table", () => {
    expect(breach("src/hub/prompts/x.ts", "../../worker/screen/y.js")).toContain("may not import");
    expect(breach("src/worker/screen/x.ts", "../detection/y.js")).toContain("may not import");
    expect(breach("src/worker/session/x.ts", "better-sqlite3")).toContain("may not import better-sqlite3");
    expect(breach("channels/telegram/x.ts", "../cli/y.js")).toContain("another plugin");
    expect(breach("channels/telegram/x.ts", "../../src/model/ids.js")).toContain("may not import");
    expect(breach("src/model/x.ts", "node:fs")).toContain("imports nothing");
    expect(breach("src/hub/prompts/x.ts", "../store/y.js")).toBeNull();
  });

  it("opens the database driver in one place, which keeps all its statements", () => {
    const around =
      /^import [^t].*"better-sqlite3"|(?:import|require|resolve)\("better-sqlite3"\)|\.iterate\(/m;
    const users = files.filter((file) => around.test(readFileSync(file, "utf8")));
    expect(users).toEqual(["src/hub/sqlite/open-sqlite.ts"]);
  });

  it("has no circle of files, in the benchmarks too", () => {
    const all = [...files, ...listFiles("bench").filter((file) => file.endsWith(".ts"))];
    expect(findCircle(new Map(all.map((file) => [file, importedFiles(file)])))).toBeNull();
  });

  it("finds a circle when there is one", () => {
    const imports = new Map([
      ["a", ["b"]],
      ["b", ["c", "d"]],
      ["c", []],
      ["d", ["b"]],
    ]);
    expect(findCircle(imports)).toEqual(["b", "d", "b"]);
  });

  it("declares each exported type name in one file", () => {
    const declared = new Map<string, string[]>();
    for (const file of files)
      for (const [, name = ""] of readFileSync(file, "utf8").matchAll(EXPORTED_TYPE))
        declared.set(name, [...new Set([...(declared.get(name) ?? []), file])]);
    expect([...declared].filter(([, places]) => places.length > 1)).toEqual([]);
  });
});
