/**
 * `npm pack` packs the bundle, the adapters, the example and the documentation, with the licences of all bundled packages, and
 * nothing else.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { describe, expect, it } from "vitest";

interface Packed {
  readonly files: readonly { readonly path: string; readonly mode: number }[];
  readonly unpackedSize: number;
}

/** In bytes: a third of it is the Slack client and what comes with it, 0.8 MB the MCP SDK, 0.7 MB a font, 0.8 MB the pages with their pictures, 2.4 MB what `run` alone loads, of which 1.1 MB are the HTTP library, 0.5 MB the adapters as they are compiled, 0.1 MB completions for shells, 0.8 MB `atlasbridge/sdk` with a terminal emulator of its own. What makes it jump should be looked at. */
const UNPACKED_MAX = 16_300_000;
/** How a library looks for what it can do without; its `try` stands around it. */
const OPTIONAL = "require-call";
/** Theirs are the licences that must be passed on. */
const BUNDLED = /^(?:@[\w.-]+\/)?[\w.-]+ \d+\.\d+\.\d+$/gm;

function pack(): Packed {
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { stdio: "pipe" });
  const [packed] = JSON.parse(output.toString()) as Packed[];
  if (!packed) throw new Error("npm pack packed nothing");
  return packed;
}

describe("the package", () => {
  const { files, unpackedSize } = pack();
  const paths = files.map(({ path }) => path);

  it("holds the bundle, the adapters, the example, the documentation, and nothing else", () => {
    const wanted = [
      /^dist\/[\w-]+\.m?js$/,
      // For programs that import `atlasbridge/sdk`.
      /^dist\/types\/(?:package\.json|src\/[\w/-]+\.d\.ts)$/,
      /^dist\/completions\/(?:atlasbridge\.(?:bash|fish)|_atlasbridge)$/,
      /^dist\/(?:compiled\/[a-z\d-]+\.json|package\.json|licenses\.txt)$/,
      /^adapters\/(?:programs\/)?[a-z\d-]+\.yaml$/,
      // Whose bundles of adapters may be installed.
      /^adapters\/keys\/trusted\.json$/,
      // npm installs it with the command.
      /^man\/atlasbridge\.1$/,
      /^schemas\/(?:adapter|config|policy|program|scenario)\.schema\.json$/,
      // People paste it; the documentation links to it.
      /^channels\/slack\/manifest\.json$/,
      /^docs\/[\w./-]+\.(?:md|svg|png)$/,
      /^docs\/how-to\/examples\/[\w-]+\/[\w.-]+\.ts$/,
      // What pictures of screens are drawn with.
      /^fonts\/(?:LICENSE|[\w-]+\.ttf)$/,
      /^(?:package\.json|README\.md|LICENSE|(?:CHANGELOG|CONTRIBUTING|SECURITY)\.md|config\.example\.yaml)$/,
    ];
    expect(paths.filter((path) => !wanted.some((pattern) => pattern.test(path)))).toEqual([]);
  });

  it("holds everything of each", () => {
    const bundle = readdirSync("dist").filter((file) => /\.m?js$/.test(file));
    const adapters = readdirSync("adapters").filter((file) => file.endsWith(".yaml"));
    expect(paths).toEqual(
      expect.arrayContaining([
        ...bundle.map((file) => `dist/${file}`),
        ...adapters.map((file) => `adapters/${file}`),
        ...readdirSync("adapters/programs").map((file) => `adapters/programs/${file}`),
        ...[
          "adapters/keys/trusted.json",
          "README.md",
          "LICENSE",
          "CHANGELOG.md",
          "config.example.yaml",
          "man/atlasbridge.1",
          "dist/completions/atlasbridge.bash",
          "dist/completions/_atlasbridge",
          "dist/completions/atlasbridge.fish",
          "schemas/adapter.schema.json",
          "schemas/config.schema.json",
          "schemas/policy.schema.json",
          "schemas/program.schema.json",
          "schemas/scenario.schema.json",
          "dist/package.json",
          ...adapters.map((file) => `dist/compiled/${file.replace(".yaml", ".json")}`),
          "dist/licenses.txt",
        ],
      ]),
    );
    expect(unpackedSize).toBeLessThan(UNPACKED_MAX);
  });

  it("holds every file of the documentation that its README links to", () => {
    const links = [...readFileSync("README.md", "utf8").matchAll(/\]\(([^)#:]+)\)/g)].map(
      ([, path]) => path ?? "",
    );
    const missing = links.filter((link) => !paths.some((path) => path === link || path.startsWith(link)));
    expect(links.length).toBeGreaterThan(5);
    expect(missing).toEqual([]);
  });

  it("needs only what cannot be bundled", () => {
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
      dependencies: Record<string, string>;
      optionalDependencies: Record<string, string>;
    };
    const { outputs } = JSON.parse(readFileSync("dist/meta.json", "utf8")) as {
      outputs: Record<string, { imports: { path: string; kind: string; external?: boolean }[] }>;
    };
    const outside = Object.values(outputs)
      .flatMap(({ imports }) => imports)
      .filter(
        ({ external, kind, path }) =>
          external && kind !== OPTIONAL && !isBuiltin(path) && !path.startsWith("."),
      )
      .map(({ path }) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? "");
    const required = execFileSync(
      "git",
      ["grep", "-hoE", '(require\\.resolve|findAddonFile)\\("[a-z0-9-]+', "--", "src"],
      {
        encoding: "utf8",
      },
    );
    const resolved = [...required.matchAll(/"([a-z0-9-]+)/g)].map(([, name]) => name ?? "");
    expect([...new Set([...outside, ...resolved])].sort()).toEqual(
      Object.keys({ ...dependencies, ...optionalDependencies }).sort(),
    );
  });

  it("passes on the licence of every package that is in its bundle", () => {
    const named = readFileSync("dist/licenses.txt", "utf8").match(BUNDLED) ?? [];
    for (const name of ["commander", "telegraf", "yaml", "valibot", "@xterm/headless"])
      expect(named.some((line) => line.startsWith(`${name} `))).toBe(true);
  });

  it("has a command that can be run", () => {
    const main = files.find(({ path }) => path === "dist/main.js");
    expect((main?.mode ?? 0) & 0o111).toBe(0o111);
    expect(readFileSync("dist/main.js", "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  });
});
