/** The file of a block is new, private and closed to links, and what another program does to it is found. */
import { makeFileFolder } from "../../../../../support/temporary-folder.js";
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BlockFile } from "../../../../../../src/worker/runtimes/program/input/block-file.js";

const folder = makeFileFolder("block-file");
let count = 0;
const make = (text = "echo one\n"): BlockFile => new BlockFile(join(folder, `b${count++}`), text);

it("holds the text, for its user alone, until it is removed", () => {
  const file = make();
  expect(file.write()).toBeNull();
  expect(readFileSync(file.path, "utf8")).toBe("echo one\n");
  expect(statSync(file.path).mode & 0o777).toBe(0o600);
  expect(file.remove()).toBe("");
  expect(existsSync(file.path)).toBe(false);
});

it("is not written where something has its name: a file, a link, a pipe", () => {
  const [taken, linked, piped] = [make(), make(), make()];
  writeFileSync(taken.path, "mine");
  symlinkSync(join(folder, "target"), linked.path);
  spawnSync("mkfifo", [piped.path]);
  for (const file of [taken, linked, piped]) expect(file.write()).toContain("cannot be written (EEXIST)");
  expect(existsSync(join(folder, "target"))).toBe(false);
  expect(readFileSync(taken.path, "utf8")).toBe("mine");
});

it("says that it was changed, also where its text is the same again", () => {
  const changes: Record<string, (path: string) => void> = {
    added: (path) => appendFileSync(path, "echo two\n"),
    restored: (path) => {
      // The clock of the file system goes on in steps.
      const { ctimeNs } = statSync(path, { bigint: true });
      while (statSync(path, { bigint: true }).ctimeNs === ctimeNs) appendFileSync(path, "x");
      truncateSync(path, "echo one\n".length);
    },
    replaced: (path) => {
      writeFileSync(`${path}-new`, "echo one\n");
      renameSync(`${path}-new`, path);
    },
    removed: (path) => rmSync(path),
    linked: (path) => {
      renameSync(path, `${path}-old`);
      symlinkSync(`${path}-old`, path);
    },
    piped: (path) => {
      rmSync(path);
      spawnSync("mkfifo", [path]);
    },
  };
  for (const [name, change] of Object.entries(changes)) {
    const file = make();
    expect(file.write()).toBeNull();
    change(file.path);
    expect(`${name}: ${file.remove()}`).toContain("what ran may not be what was asked for");
    expect(existsSync(file.path)).toBe(false);
  }
});
