/** Bundles the product with its fail points armed. */
import { readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "esbuild";

const ROOT = join(import.meta.dirname, "../../..");

/** They stay outside of a bundle, as in the product. */
const { dependencies, optionalDependencies } = JSON.parse(
  readFileSync(join(ROOT, "package.json"), "utf8"),
) as Record<"dependencies" | "optionalDependencies", Record<string, string>>;
const ADDONS = Object.keys({ ...dependencies, ...optionalDependencies });

interface Change {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Waits and limits that would only make the suite slow. */
const QUICKER: readonly Change[] = [
  { file: "src/hub/store/open-store.ts", from: "BUSY_TIMEOUT_MS = 5000", to: "BUSY_TIMEOUT_MS = 150" },
  {
    file: "channels/telegram/pace.ts",
    from: "A_SECOND: Allowance = { burst: 3",
    to: "A_SECOND: Allowance = { burst: 3000",
  },
];

export async function buildArmed(): Promise<string> {
  const outdir = join(ROOT, "dist-faults");
  rmSync(outdir, { recursive: true, force: true });
  const missing = new Set(QUICKER);
  await build({
    entryPoints: { main: join(ROOT, "tests/faults/support/program.ts") },
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    external: ADDONS,
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module";const require=__createRequire(import.meta.url);',
    },
    plugins: [
      {
        name: "change",
        setup: (bundler) =>
          bundler.onLoad({ filter: /\/(src|channels)\/.*\.ts$/ }, ({ path }) => {
            const mine = QUICKER.filter(({ file }) => file === relative(ROOT, path));
            if (mine.length === 0) return undefined;
            for (const change of mine) missing.delete(change);
            return { contents: mine.reduce(apply, readFileSync(path, "utf8")), loader: "ts" };
          }),
      },
    ],
  });
  if (missing.size > 0) throw new Error(`never loaded: ${[...missing].map(({ file }) => file).join(", ")}`);
  return join(outdir, "main.js");
}

function apply(text: string, { file, from, to }: Change): string {
  if (text.split(from).length !== 2) throw new Error(`${file} does not hold, once: ${from}`);
  return text.replace(from, () => to);
}
