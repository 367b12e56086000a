/** The file of an output cannot lead elsewhere: nobody can foresee its name, and what is no file is not read. */
import { makeFileFolder } from "../../../../../support/temporary-folder.js";
import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BoundedFile } from "../../../../../../src/worker/runtimes/program/output/bounded-file.js";
import { joinOutputs } from "../../../../../../src/worker/runtimes/program/output/join-outputs.js";
import { NO_OUTPUT } from "../../../../../../src/worker/runtimes/program/output/output-capture.js";

const folder = makeFileFolder("bounded-file");

it("is another one with each command, whatever stands under the command's own name", () => {
  const target = join(folder, "config.yaml");
  writeFileSync(target, "mine");
  symlinkSync(target, join(folder, "c1.txt"));
  const paths = [1, 2].map(() => {
    const file = new BoundedFile(folder, "c1.txt");
    file.write("an output");
    return file.close() ?? "";
  });
  expect(readFileSync(target, "utf8")).toBe("mine");
  for (const path of paths) expect(path).toMatch(/\/c1-[0-9a-f-]{36}\.txt$/);
  expect(new Set(paths).size).toBe(2);
  expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual(["an output", "an output"]);
});

it("is not read where a link or a pipe has taken its place", () => {
  const secret = join(folder, "secret");
  writeFileSync(secret, "a secret");
  const link = join(folder, "link.txt");
  symlinkSync(secret, link);
  const pipe = join(folder, "pipe.txt");
  spawnSync("mkfifo", [pipe]);
  for (const file of [link, pipe]) {
    const output = { ...NO_OUTPUT, text: "text", cut: 1, file };
    const joined = joinOutputs([output, output], { folder, name: "all" });
    expect(joined.isExact).toBe(false);
    expect(joined.file === null ? "" : readFileSync(joined.file, "utf8")).toBe("");
  }
});
