/** Bundles the programs into dist/: an entry a program, a chunk per lazily loaded part, native addons left outside. */
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Bundles of their own. What a part shares with another goes into a chunk of its own, and each chunk costs a start a millisecond:
 * `run` is bundled without regard to the other commands. No process ever loads files of two.
 */
const BUNDLES = [
  { entries: { main: "src/main.ts" }, chunks: "run" },
  // Between `run --isolate` and its tool: it loads as little as can be.
  { entries: { "isolated-start": "src/app/run/isolated-start.ts" }, chunks: "isolated" },
  // The demo's scripted agent runs as a process of its own.
  { entries: { program: "src/cli/program.ts", "demo-agent": "src/demo/agent.ts" }, chunks: "other" },
];
const OUT = "dist";
const ADAPTERS = "adapters";
if (!existsSync("src/main.ts")) process.exit(0); // an installed tarball has dist/ already

/** Native addons: whatever is installed beside the bundles stays outside of them. */
const { dependencies, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const ADDONS = Object.keys({ ...dependencies, ...optionalDependencies });

const COMMON = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  // CommonJS packages inside an ESM bundle still call require() for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module";const require=__createRequire(import.meta.url);',
  },
  logLevel: "warning",
};

/** The second bundle's door, as the first one finds it. */
const otherCommands = {
  name: "other-commands",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/cli\/program\.js$/ }, () => ({ path: "./program.js", external: true })),
};

const outputs = {};
for (const { entries, chunks } of BUNDLES) {
  const { metafile } = await build({
    ...COMMON,
    entryPoints: entries,
    outdir: OUT,
    chunkNames: `${chunks}-[name]-[hash]`,
    splitting: true,
    external: ADDONS,
    plugins: [otherCommands],
    sourcemap: true,
    metafile: true,
  });
  Object.assign(outputs, metafile.outputs);
}

const BESIDE = {
  // What went where, for whoever wants to know what a start loads.
  "meta.json": JSON.stringify({ outputs }),
  "adapters.json": JSON.stringify(await compileAdapters()),
  "licenses.txt": licensesOf(bundledPackages()),
};
for (const [name, text] of Object.entries(BESIDE)) writeFileSync(join(OUT, name), text);

// What an earlier build left goes last: the command is never missing while it is built anew.
const made = new Set([...Object.keys(outputs).map((file) => basename(file)), ...Object.keys(BESIDE)]);
for (const file of readdirSync(OUT)) if (!made.has(file)) rmSync(join(OUT, file), { force: true });
for (const name of ["main", "demo-agent"]) chmodSync(join(OUT, `${name}.js`), 0o755);

/** Every adapter file of the package, compiled, by the hash of its text (`src/plugins/adapters/compiled-adapters.ts` reads it). */
async function compileAdapters() {
  const compiler = join(OUT, `compile-adapters-${process.pid}.mjs`);
  await build({
    ...COMMON,
    entryPoints: ["src/worker/adapter-format/compiled/compile-rules.ts"],
    outfile: compiler,
  });
  const { compileAdapter } = await import(pathToFileURL(compiler).href);
  const files = readdirSync(ADAPTERS).filter((file) => file.endsWith(".yaml"));
  const compiled = files.map((file) => {
    const text = readFileSync(join(ADAPTERS, file), "utf8");
    return [createHash("sha256").update(text).digest("hex"), compileAdapter(text, file)];
  });
  return Object.fromEntries(compiled);
}

/** Folders of the npm packages of which something is in the bundle. */
function bundledPackages() {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file);
  const folders = used.flatMap((file) => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  return [...new Set(folders)].sort((a, b) => (basename(a) < basename(b) ? -1 : 1));
}

/** Their licences ask to be passed on with the code. */
function licensesOf(folders) {
  const texts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file
      ? readFileSync(join(folder, file), "utf8").trim()
      : `(no text; its package.json says ${license})`;
    return `${name} ${version}\n\n${text}\n`;
  });
  return `The files in this folder contain code of these packages.\n\n${texts.join(`\n${"-".repeat(72)}\n\n`)}`;
}
