/** What killed sessions leave is removed whole by the next one, and nothing of a session that lives. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createConsoleFolder, removeLeftFolders } from "../../../src/console/console-folder.js";

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;

function age(folder: string, ms: number): string {
  writeFileSync(join(folder, "c1.txt"), "an output");
  utimesSync(folder, (NOW - ms) / 1000, (NOW - ms) / 1000);
  return folder;
}

it("removes the folder of a process that is gone, and no other", () => {
  const parent = mkdtempSync(join(tmpdir(), "console-folder-"));
  const { pid: gone } = spawnSync("true");
  const make = (name: string): string => {
    mkdirSync(join(parent, name));
    return join(parent, name);
  };
  const left = age(make(`console-${gone}-abcdef`), 2 * HOUR_MS);
  const fresh = age(make(`console-${gone}-ghijkl`), HOUR_MS / 2);
  const other = age(make(`other-${gone}-abcdef`), 2 * HOUR_MS);
  const lives = age(createConsoleFolder(parent), 48 * HOUR_MS);
  removeLeftFolders(parent, NOW);
  expect([left, fresh, other, lives].map((folder) => existsSync(folder))).toEqual([false, true, true, true]);
});
