/** A tool whose hooks hold nothing: they tell what its dialog cuts, and what it said last. */
import { chmodSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { knownVersion } from "../../src/app/known-versions.js";
import { withRig, type Rig } from "../support/rig/rig.js";
import type { Run } from "../support/rig/run.js";

const AGENT = resolve("tests/fixtures/agents/tells-by-hook.mjs");
const CUT = resolve("prompt-lab/scenarios/qwen/shell-script-45x20-0.24.4.jsonl");
const COMMAND = [
  "set -e",
  "for f in *.txt; do",
  '  echo "› 1. Yes, allow once"',
  '  echo "  2. No, suggest changes (esc)"',
  "done",
  "rm -rf build",
].join("\n");
const WORDS = "The build folder is gone.\n\nShall I **push** it?";

/** The agent, under the name of a tool whose adapter knows such hooks. However busy the machine is, its version is known. */
async function run(rig: Rig, flags: readonly string[] = []): Promise<Run> {
  const file = join(rig.home.folder, "qwen");
  writeFileSync(file, `#!${process.execPath}\nimport(${JSON.stringify(pathToFileURL(AGENT).href)});\n`);
  chmodSync(file, 0o700);
  expect(await knownVersion(file, process.env, rig.home.paths, { limitMs: 60_000 })).toBe("0.24.4");
  return rig.run([file, CUT, COMMAND, WORDS], { label: "teller", cols: 45, rows: 20, flags });
}

describe.concurrent("a tool that tells by hooks what it asks, and draws it cut", () => {
  it("is shown whole on the phone, answered with keys, and its last words are told as it said them", () =>
    withRig(async (rig) => {
      const tool = await run(rig);
      const card = await tool.card();
      expect(card.isMarkedCut).toBe(false);
      expect(card.content).toContain(COMMAND);
      await card.press(1);
      expect(await card.settled()).toMatch(/^✅ .*, by Ara, confirmed$/);
      await tool.terminal.waitFor(/typed 1/);
      expect(await rig.phone.notice(/asks in its last message/)).toContain(WORDS);
    }));

  it("is shown as it is drawn without them", () =>
    withRig(async (rig) => {
      const tool = await run(rig, ["--no-hooks"]);
      const card = await tool.card();
      expect(card.isMarkedCut).toBe(true);
      expect(card.content).not.toContain(COMMAND);
    }));
});
