/** Bundles the programs into dist/: an entry a program, a chunk per lazily loaded part, native addons left outside. */
import { build } from "esbuild";
import { chmodSync, existsSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

/** The command, and the demo's scripted agent, which runs as a process of its own. */
const ENTRIES = { main: "src/main.ts", "demo-agent": "src/app/demo/agent.ts" };
const OUT = "dist";
if (!existsSync(ENTRIES.main)) process.exit(0); // an installed tarball has dist/ already

const { metafile } = await build({
  entryPoints: ENTRIES,
  outdir: OUT,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  external: ["node-pty", "better-sqlite3"],
  // CommonJS packages inside an ESM bundle still call require() for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module";const require=__createRequire(import.meta.url);',
  },
  sourcemap: true,
  metafile: true,
  logLevel: "warning",
});

// What an earlier build left goes last: the command is never missing while it is built anew.
const made = new Set(Object.keys(metafile.outputs).map((file) => basename(file)));
for (const file of readdirSync(OUT)) if (!made.has(file)) rmSync(join(OUT, file), { force: true });
for (const name of Object.keys(ENTRIES)) chmodSync(join(OUT, `${name}.js`), 0o755);
