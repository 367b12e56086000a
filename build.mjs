/** Bundles the programs into dist/: an entry a program, a chunk per lazily loaded part, native addons left outside. */
import { build, transform } from "esbuild";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";

/**
 * Bundles of their own: each file costs a start up to two milliseconds, so what stands between a person and their tool shares none
 * with other commands. No process loads files of two, apart from `main`.
 */
const BUNDLES = [
  { entries: { main: "src/main.ts" }, chunks: "main" },
  // What is loaded before the tool's first output is shown is one file, `run-program.js`.
  {
    entries: { "run-program": "src/cli/run-program.ts" },
    chunks: "run",
    packed: ["src/cli/run-program.ts", "src/app/run/announce-start.ts"],
  },
  { entries: { "hook-program": "src/cli/hook-program.ts" }, chunks: "hook" },
  // Between `run --isolate` and its tool: it loads as little as can be.
  { entries: { "isolated-start": "src/app/run/isolated-start.ts" }, chunks: "isolated" },
  // The demo's scripted agent runs as a process of its own.
  { entries: { program: "src/cli/program.ts", "demo-agent": "src/demo/agent.ts" }, chunks: "other" },
];
const OUT = "dist";
const ADAPTERS = "adapters";
/** Not `adapters`: the package is recognized by the folder of that name. */
const COMPILED = "compiled";
const COMPLETIONS = "completions";
if (!existsSync("src/main.ts")) process.exit(0); // an installed tarball has dist/ already

/** Native addons: whatever is installed beside the bundles stays outside of them. */
const { dependencies, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const ADDONS = Object.keys({ ...dependencies, ...optionalDependencies });

const COMMON = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  logLevel: "warning",
};

/** The programs that `main` chooses from, as it finds them. */
const programs = {
  name: "programs",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/cli\/(?:run-|hook-)?program\.js$/ }, ({ path }) => ({
      path: path.replace("/cli", ""),
      external: true,
    })),
};

/** In `src/config/stored/build-id.ts`. */
const BUILD_MARK = "@@atlasbridge-build@@";
const FILE_URL = 'const __fileUrl = require("node:url").pathToFileURL(__filename).href;';

/** esbuild splits ES modules only. Node loads CommonJS in half the time, and without starting its other loader (ADR 10). */
async function convertToCommonJs(code) {
  const converted = await transform(code, {
    format: "cjs",
    // For Node it would list all exports once more, for importers that are ES modules.
    platform: "neutral",
    target: COMMON.target,
    supported: { "dynamic-import": false },
    define: {
      "import.meta.url": "__fileUrl",
      "import.meta.filename": "__filename",
      "import.meta.dirname": "__dirname",
    },
    // What was an ES module stays strict.
    banner: `"use strict";${code.includes("import.meta.url") ? FILE_URL : ""}`,
    // Warnings of libraries: those of our own files came when they were bundled.
    logLevel: "error",
  });
  return loadBuiltinsLate(converted.code);
}

const BUILTIN = /^var (import_\w+) = require\(("[^"]+")\);$/gm;

/** Node compiles its own modules when they are first required: some, such as `crypto`, cost a start three to six milliseconds. */
function loadBuiltinsLate(code) {
  const found = [...code.matchAll(BUILTIN)].filter(([, , path]) => isBuiltin(JSON.parse(path)));
  if (found.length === 0) return code;
  const paths = new Map(found.map(([, name, path]) => [name, path]));
  const getters = [...new Set(paths.values())].map(
    (path, index) => `get ${path}() { return __builtin${index} ??= require(${path}); }`,
  );
  const variables = getters.map((_, index) => `__builtin${index}`);
  const loader = `let ${variables.join(", ")};\nconst __builtins = { ${getters.join(",\n")} };`;
  const uses = new RegExp(`\\b(${[...paths.keys()].join("|")})\\.`, "g");
  const rest = code
    .replace(BUILTIN, (line, name) => (paths.has(name) ? "" : line))
    .replace(uses, (_, name) => `__builtins[${paths.get(name)}].`);
  return rest.replace('"use strict";', `"use strict";\n${loader}`);
}

/** Names of the files that are loaded when these sources are; that of the first source comes first. */
function listLoaded(made, sources) {
  const files = new Set();
  const visit = (file) => {
    if (files.has(file)) return;
    files.add(file);
    for (const { path, kind } of made[file]?.imports ?? []) if (kind !== "dynamic-import") visit(path);
  };
  for (const source of sources) visit(Object.keys(made).find((file) => made[file].entryPoint === source));
  return [...files].filter((file) => file in made).map((file) => basename(file));
}

/** Puts these files into the first of them, as functions: one read and one compilation. The others find them there. */
function packChunks(files, [program, ...rest]) {
  const names = [program, ...rest];
  // In brackets: V8 then compiles them at once instead of reading each twice.
  const functions = names.map(
    (name) =>
      `${JSON.stringify(`./${name}`)}: (function (module, exports, require) {\n${files.get(name)}\n})`,
  );
  for (const name of rest) files.delete(name);
  for (const [file, text] of files) {
    const redirected = text.replace(/\brequire\(("\.\/[^"]+")\)/g, (call, path) =>
      names.includes(JSON.parse(path).slice(2)) ? `require("./${program}").load(${path})` : call,
    );
    files.set(file, redirected);
  }
  files.set(
    program,
    `"use strict";
const chunks = {
${functions.join(",\n")}
};
const loaded = {};
function load(path) {
  if (!Object.hasOwn(chunks, path)) return require(path);
  if (!Object.hasOwn(loaded, path)) {
    loaded[path] = { exports: {} };
    chunks[path](loaded[path], loaded[path].exports, load);
  }
  return loaded[path].exports;
}
module.exports = { ...load("./${program}"), load };
`,
  );
}

/** What other programs import: `exports` of package.json names these files. */
const SDK = { sdk: "src/compat/index.ts", "sdk-testing": "src/compat/testing/index.ts" };
const SDK_TYPES = "types";
/** CommonJS packages inside an ES module still call require() for Node's own modules. */
const REQUIRE =
  'import { createRequire as __createRequire } from "node:module";const require=__createRequire(import.meta.url);';

/** ES modules, with a type declaration for each source that their declarations name. Nothing of ours loads them. */
async function buildSdk() {
  const { metafile, outputFiles } = await build({
    ...COMMON,
    banner: { js: REQUIRE },
    entryPoints: SDK,
    outdir: OUT,
    outExtension: { ".js": ".mjs" },
    minifyWhitespace: true,
    chunkNames: "sdk-[name]-[hash]",
    splitting: true,
    external: ADDONS,
    metafile: true,
    write: false,
  });
  const files = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  return { files, types: declareTypes(Object.values(SDK)), outputs: metafile.outputs };
}

/** Declarations by their path below SDK_TYPES, without checking types: `npm run types` does. */
function declareTypes(sources) {
  const { compilerOptions } = JSON.parse(readFileSync("tsconfig.json", "utf8"));
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, ".");
  const declared = new Map([["package.json", JSON.stringify({ type: "module" })]]);
  const visit = (source) => {
    const path = source.replace(/\.ts$/, ".d.ts");
    if (declared.has(path)) return;
    const text = readFileSync(source, "utf8");
    const { outputText } = ts.transpileDeclaration(text, { fileName: source, compilerOptions: options });
    declared.set(path, outputText);
    for (const [, specifier] of outputText.matchAll(/\b(?:from |import\()"(\.[^"]+)"/g))
      visit(join(dirname(source), specifier).replace(/\.js$/, ".ts"));
  };
  sources.forEach(visit);
  return declared;
}

mkdirSync(OUT, { recursive: true });
const outputs = {};
/** Content by path: written when all is built. */
const texts = new Map();
for (const { entries, chunks, packed } of BUNDLES) {
  const { metafile, outputFiles } = await build({
    ...COMMON,
    entryPoints: entries,
    outdir: OUT,
    chunkNames: `${chunks}-[name]-[hash]`,
    splitting: true,
    external: ADDONS,
    plugins: [programs],
    metafile: true,
    write: false,
  });
  const converted = new Map();
  for (const { path, text } of outputFiles) converted.set(basename(path), await convertToCommonJs(text));
  if (packed) packChunks(converted, listLoaded(metafile.outputs, packed));
  for (const [file, text] of converted) texts.set(join(OUT, file), text);
  Object.assign(outputs, metafile.outputs);
}
const digest = createHash("sha256");
for (const text of texts.values()) digest.update(text);
const id = digest.digest("hex").slice(0, 32);
for (const [path, text] of texts) writeFileSync(path, text.replaceAll(BUILD_MARK, id));

const sdk = await buildSdk();
Object.assign(outputs, sdk.outputs);

const BESIDE = {
  // What went where, for whoever wants to know what a start loads.
  // The package's own says "module", for its sources.
  "package.json": JSON.stringify({ type: "commonjs" }),
  "meta.json": JSON.stringify({ outputs }),
  "licenses.txt": listLicenses(bundledPackages()),
  ...Object.fromEntries(sdk.files),
};
for (const [name, text] of Object.entries(BESIDE)) writeFileSync(join(OUT, name), text);
rmSync(join(OUT, SDK_TYPES), { recursive: true, force: true });
for (const [path, text] of sdk.types) {
  const file = join(OUT, SDK_TYPES, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
await compileAdapters(join(OUT, COMPILED));
writeCompletions(join(OUT, COMPLETIONS));

// What an earlier build left goes last: the command is never missing while it is built anew.
const made = new Set([
  COMPILED,
  COMPLETIONS,
  SDK_TYPES,
  ...[...texts.keys()].map((file) => basename(file)),
  ...Object.keys(BESIDE),
]);
for (const file of readdirSync(OUT))
  if (!made.has(file)) rmSync(join(OUT, file), { force: true, recursive: true });
for (const name of ["main", "demo-agent"]) chmodSync(join(OUT, `${name}.js`), 0o755);

/** Every adapter file of the package, compiled, beside its text (`src/plugins/adapters/compiled-adapters.ts` reads it). */
async function compileAdapters(folder) {
  const compiler = join(OUT, `compile-adapters-${process.pid}.mjs`);
  await build({
    ...COMMON,
    banner: { js: REQUIRE },
    entryPoints: ["src/worker/adapter-format/compiled/compile-rules.ts"],
    outfile: compiler,
  });
  const { compileAdapter } = await import(pathToFileURL(compiler).href);
  const files = readdirSync(ADAPTERS).filter((file) => file.endsWith(".yaml"));
  mkdirSync(folder, { recursive: true });
  const made = files.map((file) => {
    const text = readFileSync(join(ADAPTERS, file), "utf8");
    const name = `${basename(file, ".yaml")}.json`;
    writeFileSync(join(folder, name), JSON.stringify({ text, compiled: compileAdapter(text, file) }));
    return name;
  });
  for (const file of readdirSync(folder)) if (!made.includes(file)) rmSync(join(folder, file));
}

/** For packagers, and for shells that read folders of such files: a file costs a new shell less than the command that prints it. */
function writeCompletions(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [shell, file] of [
    ["bash", "atlasbridge.bash"],
    ["zsh", "_atlasbridge"],
    ["fish", "atlasbridge.fish"],
  ])
    writeFileSync(
      join(folder, file),
      execFileSync(process.execPath, [join(OUT, "main.js"), "completion", shell]),
    );
}

/** Folders of the npm packages of which something is in the bundle. */
function bundledPackages() {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file);
  const folders = used.flatMap((file) => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  return [...new Set(folders)].sort((a, b) => (basename(a) < basename(b) ? -1 : 1));
}

/** Their licences ask to be passed on with the code. */
function listLicenses(folders) {
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
