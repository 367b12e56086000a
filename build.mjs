/** Bundles the command into dist/: an entry a program, a chunk per lazily loaded part, native addons left outside. */
import { build } from "esbuild";
import { chmodSync, existsSync, rmSync } from "node:fs";

/** The command, and the demo's scripted agent, which runs as a process of its own. */
const ENTRIES = { main: "src/main.ts", "demo-agent": "src/app/demo/agent.ts" };
if (!existsSync(ENTRIES.main)) process.exit(0); // an installed tarball has dist/ already
rmSync("dist", { recursive: true, force: true });
await build({
  entryPoints: ENTRIES,
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  external: ["node-pty", "better-sqlite3"],
  // CommonJS packages inside an ESM bundle still call require() for Node's own modules.
  banner: { js: 'import { createRequire as __createRequire } from "node:module";const require=__createRequire(import.meta.url);' },
  sourcemap: true,
  logLevel: "warning",
});
chmodSync("dist/main.js", 0o755);
