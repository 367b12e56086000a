/** The first line of a file that we write names the JSON Schema of this installation. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createAdapter } from "../../../prompt-lab/check/new-file.js";
import { buildSchemaLine } from "../../../src/plugins/schema-line.js";

afterEach(() => void vi.unstubAllEnvs());

/** What the schema is called that a file's first line names, as an editor opens it. */
function readTitle(text: string): unknown {
  const [, address = ""] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
  return (JSON.parse(readFileSync(fileURLToPath(address), "utf8")) as { title: unknown }).title;
}

describe("the first line of a file that we write", () => {
  it.each([
    ["adapter", "AtlasBridge adapter file"],
    ["config", "AtlasBridge configuration"],
  ] as const)("names the JSON Schema of this installation: %s", (kind, title) => {
    expect(readTitle(buildSchemaLine(kind))).toBe(title);
  });

  it("stands in a new adapter, wherever that lies", () => {
    const home = mkdtempSync(join(tmpdir(), "atlasbridge-home-"));
    vi.stubEnv("ATLASBRIDGE_HOME", home);
    const [file = ""] = createAdapter({ name: "mytool", executable: "mytool", intoPackage: false });
    expect(readTitle(readFileSync(file, "utf8"))).toBe("AtlasBridge adapter file");
    rmSync(home, { recursive: true });
  });
});
