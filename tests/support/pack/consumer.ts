/** A folder of somebody who uses the package: their sources, their TypeScript, and nothing of this repository besides. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, normalize, resolve } from "node:path";

/** As strict as a consumer can be; the declarations of the package are checked, too. */
const TSCONFIG = {
  compilerOptions: {
    target: "ES2023",
    lib: ["ES2023"],
    module: "NodeNext",
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    rootDir: ".",
    outDir: "built",
  },
};
const IMPORT = /(?:\bfrom|\bimport)\s*"(\.[^"]+)"/g;

/** Their development dependencies, and libraries of their own. */
export function makeConsumer(folder: string, packages: readonly string[] = []): void {
  for (const name of ["typescript", "@types/node", ...packages]) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve("node_modules", name), link);
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
}

/** Copies a file with all that it imports by a path, to the same places in `folder`. */
export function copySource(file: string, folder: string, done = new Set<string>()): void {
  if (done.has(file)) return;
  done.add(file);
  cpSync(file, join(folder, file));
  for (const [, path = ""] of readFileSync(file, "utf8").matchAll(IMPORT))
    copySource(normalize(join(dirname(file), path)).replace(/\.js$/, ".ts"), folder, done);
}

/** What the compiler finds wrong; empty: it compiles. */
export function compile(folder: string): string {
  try {
    execFileSync(process.execPath, ["node_modules/typescript/bin/tsc"], { cwd: folder, stdio: "pipe" });
    return "";
  } catch (error) {
    return String((error as { stdout: Buffer }).stdout);
  }
}
