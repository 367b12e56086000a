/** What the README says of tools, versions and commands is what the files of this repository say. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

/** A newcomer reads it in two minutes. */
const LINES_MAX = 120;
const WORDS_MAX = 1000;

interface AdapterFacts {
  readonly name: string;
  readonly tested?: boolean;
  readonly supported_versions?: string;
  readonly hooks?: { readonly versions: string };
  readonly coattach?: { readonly versions: string };
}

const readme = readFileSync("README.md", "utf8");
const rows = readme
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const adapters = readdirSync("adapters")
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => parse(readFileSync(`adapters/${file}`, "utf8")) as AdapterFacts)
  .filter(({ name }) => name !== "generic" && name !== "demo-agent");

const quoted = (cell = ""): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);

/** The tool's version on the page of the live trials. */
function triedVersion(tool: string): string | undefined {
  const page = readFileSync("docs/reference/live.md", "utf8");
  return new RegExp(`^\\| ${tool} \\| (\\S+) \\|`, "m").exec(page)?.[1];
}

describe("README.md", () => {
  it("is short enough to be read in two minutes", () => {
    expect(readme.split("\n").length).toBeLessThanOrEqual(LINES_MAX);
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(WORDS_MAX);
  });

  it("sets everything up with two commands: one shows the product, one passes the tests", () => {
    const [, setUp = ""] = /^## Try it\n([\s\S]*?)^## /m.exec(readme) ?? [];
    const commands = [...setUp.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block.trim());
    expect(commands).toEqual(["npm ci && ./atlasbridge demo", "npm test"]);
  });

  it("lists every tool with the versions of its adapter file and of its live trial", () => {
    const recorded = adapters.filter(({ tested }) => tested !== false);
    const listed = rows.filter(([tool]) => quoted(tool).length === 1);
    expect(listed.map(([tool, versions, , tried]) => [...quoted(tool), ...quoted(versions), tried])).toEqual(
      recorded.map(({ name, supported_versions }) => [name, supported_versions, triedVersion(name) ?? "–"]),
    );
  });

  it.each(adapters.filter(({ tested }) => tested !== false))(
    "says by what else than its screen $name is seen, and in which versions",
    ({ name, hooks, coattach }) => {
      const seen = rows.find(([tool]) => quoted(tool)[0] === name)?.[2] ?? "";
      expect(new Set(quoted(seen))).toEqual(
        new Set([hooks?.versions, coattach?.versions].filter((range) => range !== undefined)),
      );
      expect(seen.includes("hooks")).toBe(hooks !== undefined);
      expect(/\bserver\b/.test(seen)).toBe(coattach !== undefined);
    },
  );

  it("names every adapter that nobody has tried, as not tried", () => {
    const untried = adapters.filter(({ tested }) => tested === false).map(({ name }) => name);
    const [tools, , seen] = rows.find(([tool]) => quoted(tool).length > 1) ?? [];
    expect(quoted(tools)).toEqual(untried);
    expect(seen).toContain("untested");
  });
});
