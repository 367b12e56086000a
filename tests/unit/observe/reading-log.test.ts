/** Readings are counted in a file that several processes append to. It stays small, and what cannot be written disturbs nobody. */
import { makeTestFolder } from "../../support/temporary-folder.js";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { logReading, readReadings } from "../../../src/observe/reading-log.js";

let folder = "";
beforeEach(() => void (folder = makeTestFolder("readings")));

const READING = { at: "2026-11-25T22:00:00.000Z", tool: "claude", adapter: "1.0.0", rule: "bash" };

describe("the log of readings", () => {
  it("gives back what was written, oldest first, and skips what is none", () => {
    const file = join(folder, "readings.jsonl");
    logReading(file, { ...READING, differences: [] });
    writeFileSync(file, '{"half', { flag: "a" });
    writeFileSync(file, "\n[]\n", { flag: "a" });
    logReading(file, { ...READING, rule: null, differences: ["unseen"] });
    expect(readReadings(file).map(({ differences }) => differences)).toEqual([[], ["unseen"]]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("keeps one older file, and no more", () => {
    const file = join(folder, "readings.jsonl");
    for (const size of [600_000, 600_000]) {
      writeFileSync(file, " ".repeat(size));
      logReading(file, { ...READING, differences: [] });
    }
    expect(existsSync(`${file}.old`)).toBe(true);
    expect(readFileSync(file, "utf8").length).toBeLessThan(200);
    expect(readReadings(file)).toHaveLength(1);
  });

  it("does not throw where nothing can be written", () => {
    const file = join(folder, "missing", "readings.jsonl");
    expect(() => logReading(file, { ...READING, differences: [] })).not.toThrow();
    expect(readReadings(file)).toEqual([]);
  });
});
