/**
 * docs/reference/errors.md lists exactly the error codes of the program, with their exit codes and meanings, and each of them is
 * raised somewhere.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ERROR_CODES, EXIT } from "../../src/model/errors.js";

const ROW = /^\| `(ATB_[A-Z_]+)` \| (\d+) \| (.+) \|$/;

describe("docs/reference/errors.md", () => {
  const rows = readFileSync("docs/reference/errors.md", "utf8")
    .split("\n")
    .flatMap((line) => {
      const match = ROW.exec(line);
      return match ? [[match[1], Number(match[2]), match[3]]] : [];
    });

  it("holds exactly the codes of the program, with their exit codes and meanings", () => {
    const codes = Object.entries(ERROR_CODES).map(([code, { exit, meaning }]) => [code, exit, meaning]);
    expect(rows).toEqual(codes);
  });

  it("promises no code that nothing raises", () => {
    const listed = execFileSync("git", ["ls-files", "src", "channels", "prompt-lab"], {
      encoding: "utf8",
    }).split("\n");
    const files = listed.filter((file) => file.endsWith(".ts") && file !== "src/model/errors.ts");
    const code = files
      .filter(existsSync)
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
    expect(Object.keys(ERROR_CODES).filter((name) => !code.includes(`"${name}"`))).toEqual([]);
  });

  it("names every exit code", () => {
    const text = readFileSync("docs/reference/errors.md", "utf8");
    for (const code of new Set(Object.values(EXIT))) expect(text).toMatch(new RegExp(`\\b${code}\\b`));
  });
});
