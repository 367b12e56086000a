/**
 * In a clone `./atlasbridge` runs its program from any folder. No page and no message tells anybody to run `npx atlasbridge`: outside of
 * a clone npm would fetch and run a stranger's package of that name.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { listFiles } from "./files.js";
import { getProgramVersion } from "../../src/observe/package-root.js";
import { makeTestFolder } from "../support/temporary-folder.js";

/** With `--package` npm runs the named file's program. */
const STRANGERS = /\bnpx (?!--package=)[^\n]*?\batlasbridge\b/;

describe("npx", () => {
  it("is told to nobody", () => {
    const files = listFiles(".").filter(
      (file) => /\.(?:ts|js|mjs|md|yaml|1)$/.test(file) && !/^(?:tests|prompt-lab\/scenarios)\//.test(file),
    );
    expect(files).toEqual(
      expect.arrayContaining(["README.md", "docs/how-to/install.md", "man/atlasbridge.1"]),
    );
    expect(files.filter((file) => STRANGERS.test(readFileSync(file, "utf8")))).toEqual([]);
  });

  it.each(["npm ci && npx atlasbridge demo", "run `npx --yes atlasbridge setup`"])(
    "is found in: %s",
    (text) => {
      expect(STRANGERS.test(text)).toBe(true);
    },
  );
});

describe("./atlasbridge", () => {
  it("runs from another folder and through a symbolic link", () => {
    const folder = makeTestFolder("own-command");
    symlinkSync(resolve("atlasbridge"), join(folder, "atb"));
    expect(execFileSync("./atb", ["version"], { cwd: folder, encoding: "utf8" })).toBe(
      `${getProgramVersion()}\n`,
    );
  });

  it("says what to do in a clone that is not built", () => {
    const folder = makeTestFolder("own-command");
    copyFileSync("atlasbridge", join(folder, "atlasbridge"));
    const { status, stderr } = spawnSync("./atlasbridge", ["version"], { cwd: folder, encoding: "utf8" });
    expect(stderr).toContain("dist/main.js is missing: run 'npm ci' in that clone first");
    expect(status).toBe(3);
  });

  it("is not in the package, whose command is atlasbridge", () => {
    const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { files: string[] };
    expect(files).not.toContain("atlasbridge");
  });
});
