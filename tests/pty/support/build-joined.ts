/** Bundles `run-joined` once per suite: a worker that is started from source would spend most of its time in the loader. */
import { buildSync } from "esbuild";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";

export function buildJoined(): readonly string[] {
  const folder = resolve("node_modules/.cache/atlasbridge-tests");
  mkdirSync(folder, { recursive: true });
  const outfile = `${folder}/run-joined-${process.pid}.mjs`;
  buildSync({
    entryPoints: ["tests/pty/support/run-joined.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    external: ["node-pty"],
    outfile,
  });
  return [process.execPath, outfile];
}
