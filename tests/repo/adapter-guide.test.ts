/** The adapter files that docs/how-to/add-an-adapter.md shows can be copied, and it says what a file may do to its user. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { compileAdapter } from "../../src/worker/adapter-format/compiled/compile-rules.js";

const PAGE = "docs/how-to/add-an-adapter.md";
const page = readFileSync(PAGE, "utf8");

it("the guide to adapter files shows files that compile", () => {
  const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text = ""]) => text);
  expect(blocks.length).toBeGreaterThan(0);
  const [whole = ""] = blocks;
  // A rule that is shown alone goes behind those of the whole file.
  for (const block of blocks)
    expect(() => compileAdapter(block.startsWith("  - ") ? whole + block : block, PAGE)).not.toThrow();
});

it("the guide warns that a file is a program, as long as it may set variables that load code", () => {
  const env = ["LD_PRELOAD", "NODE_OPTIONS", "PATH"];
  const set = env.map((name) => `${name}: x`).join(", ");
  const file = `schema: 1\nname: a\nversion: 1.0.0\ndescription: a\nfamily: agent\nprocess: { env: { ${set} } }\nrules: []\n`;
  expect(Object.keys(compileAdapter(file, "a.yaml").process.env)).toEqual(env);
  for (const name of ["An adapter file is a program", ...env]) expect(page).toContain(name);
});
