/** Runs `policy-rounds.ts` as the hub runs: bundled, and in a process of its own. tsx gives every function its name at run time, which slows down code that makes many, and which the bundle does not do. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import type { Report } from "./figures.js";

const ROUNDS = fileURLToPath(new URL("policy-rounds.ts", import.meta.url));

export function policy(): Promise<readonly Report[]> {
  const directory = mkdtempSync(join(tmpdir(), "bench-policy-"));
  const outfile = join(directory, "rounds.cjs");
  try {
    buildSync({ entryPoints: [ROUNDS], bundle: true, platform: "node", format: "cjs", outfile });
    const printed = execFileSync(process.execPath, [outfile], { encoding: "utf8" });
    return Promise.resolve([JSON.parse(printed) as Report]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
