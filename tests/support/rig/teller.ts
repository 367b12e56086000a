/** The agent that tells its hooks what it asks and what it said last, under the name of a tool whose adapter knows such hooks. */
import { chmodSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { readKnownVersion } from "../../../src/worker/runtimes/tool-version.js";
import type { Rig } from "./rig.js";
import type { Run } from "./run.js";

const AGENT = resolve("tests/fixtures/agents/tells-by-hook.mjs");
/** What it is, and its dialog, cut by a small terminal. */
const TOOLS = {
  qwen: { version: "0.24.4", dialog: resolve("prompt-lab/scenarios/qwen/shell-script-45x20-0.24.4.jsonl") },
  copilot: {
    version: "1.0.102",
    dialog: resolve("prompt-lab/scenarios/copilot/shell-script-45x20-1.0.102.jsonl"),
  },
} as const;
/** What qwen asks about there. */
export const COMMAND = [
  "set -e",
  "for f in *.txt; do",
  '  echo "› 1. Yes, allow once"',
  '  echo "  2. No, suggest changes (esc)"',
  "done",
  "rm -rf build",
].join("\n");

/** What copilot asks about there. */
export const COPILOT_COMMAND = [
  "set -e",
  "for f in *.txt; do",
  '  echo "❯ 1. Yes"',
  '  echo "  2. No (Esc)"',
  "done",
  "# ↑/↓ to navigate · enter to select · esc to cancel",
  "rm -rf build",
].join("\n");

export interface TellerOptions {
  /** What it says once its question was answered. */
  readonly words: string;
  readonly flags?: readonly string[];
  readonly tool?: keyof typeof TOOLS;
  /** What it tells its hooks that it asks about. */
  readonly command?: string;
  /** Where its executable lies and it works; default: the home. */
  readonly folder?: string;
}

/** Its session's label is `teller`. However busy the machine is, its version is known. */
export async function startTeller(rig: Rig, options: TellerOptions): Promise<Run> {
  const { words, flags = [], folder = rig.home.folder, tool = "qwen", command = COMMAND } = options;
  const { version, dialog } = TOOLS[tool];
  const file = join(folder, tool);
  writeFileSync(file, `#!${process.execPath}\nimport(${JSON.stringify(pathToFileURL(AGENT).href)});\n`);
  chmodSync(file, 0o700);
  expect(await readKnownVersion(file, process.env, rig.home.paths, { limitMs: 60_000 })).toBe(version);
  return rig.run([file, dialog, command, words], { label: "teller", cols: 45, rows: 20, cwd: folder, flags });
}
