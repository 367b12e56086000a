/** The YAML files that we ship mean the same in YAML 1.1 and 1.2, and name their JSON Schemas for editors. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { isCollection, isScalar, parse, parseDocument, visit } from "yaml";
import { createAdapterFiles } from "../../prompt-lab/check/new-file.js";
import { listFiles } from "./files.js";

const FILES = listFiles("adapters", "config.example.yaml").filter((file) => file.endsWith(".yaml"));
const SCHEMA_LINE = /^# yaml-language-server: \$schema=(\S+)\n/;

/** Plain texts inside of [] and {} that hold a question mark: readers of YAML 1.1 end them there. */
function brokenTexts(text: string): string[] {
  const found: string[] = [];
  visit(parseDocument(text), {
    Scalar: (_key, node, parents) => {
      const isInFlow = parents.some((parent) => isCollection(parent) && parent.flow === true);
      if (isInFlow && isScalar(node) && node.type === "PLAIN" && String(node.source).includes("?"))
        found.push(String(node.source));
    },
  });
  return found;
}

describe("a YAML file that we ship", () => {
  it("is found here", () => {
    expect(FILES.length).toBeGreaterThan(10);
    expect(FILES).toContain("config.example.yaml");
  });

  it.each(FILES)("says the same in YAML 1.1 and 1.2: %s", (file) => {
    const text = readFileSync(file, "utf8");
    expect(parse(text, { version: "1.1" })).toEqual(parse(text));
    expect(brokenTexts(text)).toEqual([]);
  });

  it.each(FILES)("names its JSON Schema in its first line: %s", (file) => {
    const [, schema = ""] = SCHEMA_LINE.exec(readFileSync(file, "utf8")) ?? [];
    const kind = file.startsWith("adapters/programs/")
      ? "program"
      : file.startsWith("adapters/")
        ? "adapter"
        : "config";
    expect(schema).toMatch(new RegExp(`/?schemas/${kind}\\.schema\\.json$`));
    expect(existsSync(join(dirname(file), schema))).toBe(true);
  });

  it("and a new adapter says the same in YAML 1.1 and 1.2", () => {
    const { adapter } = createAdapterFiles("mytool", "mytool");
    expect(parse(adapter, { version: "1.1" })).toEqual(parse(adapter));
    expect(brokenTexts(adapter)).toEqual([]);
  });

  it("is found where its two readings differ", () => {
    expect(brokenTexts("a: { b: Run this?, c: [d?] }\ne: f?\n")).toEqual(["Run this?", "d?"]);
    expect(parse("on: yes", { version: "1.1" })).not.toEqual(parse("on: yes"));
  });
});
