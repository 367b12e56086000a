/** The note of a hub says which channels are connected, for as long as that hub runs. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readConnectedChannels, writeReachNote } from "../../../src/app/reach-note.js";
import { resolvePaths, type Paths } from "../../../src/config/paths.js";

let folder: string;
let paths: Paths;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "atb-"));
  paths = resolvePaths({
    env: { ATLASBRIDGE_HOME: folder },
    userHome: null,
    tmpDir: tmpdir(),
    uid: process.getuid?.() ?? 0,
  });
});
afterEach(() => rmSync(folder, { recursive: true }));

it("is believed of a process that runs", () => {
  expect(readConnectedChannels(paths)).toEqual([]);
  writeReachNote(paths, ["cli", "telegram"]);
  expect(readConnectedChannels(paths)).toEqual(["cli", "telegram"]);
});

it.each([
  ["of a hub that is gone", `${process.pid}\n1\ntelegram`],
  ["that is no note", "{"],
  ["that is empty", ""],
])("is not believed %s", (_, text) => {
  writeFileSync(paths.hubReach, text);
  expect(readConnectedChannels(paths)).toEqual([]);
});
