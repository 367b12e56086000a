/**
 * The last answer of an idle tool is read from its recorded screen where the adapter says where it stands, and is marked when its
 * beginning is not visible.
 */
import { describe, expect, it } from "vitest";
import { findScenarios } from "../../prompt-lab/scenario/find-scenarios.js";
import { createAdapterLoader } from "../../src/plugins/adapters/adapters.js";
import { readLastAnswer } from "../../src/worker/detection/last-answer.js";
import { replay } from "../../prompt-lab/replay/replay.js";

const load = createAdapterLoader({ adaptersDir: "" });

async function shownBy(file: string): Promise<string | null> {
  const [scenario] = findScenarios([`prompt-lab/scenarios/${file}.json`]);
  if (!scenario) throw new Error(`no scenario ${file}`);
  const { tool, events, cols, rows, tty } = scenario;
  const adapter = await load(tool);
  return readLastAnswer(adapter, (await replay(adapter, events, { cols, rows, tty })).view);
}

const BOX = "─".repeat(60);
const CLAUDE_BOX = [BOX, "❯\u00a0", BOX, "  ? for shortcuts"];
const LOGO = ["          ⣀⣤⣤⣤⣀⣀", " ⢰⣿⣿⡟⠁⢸⣿⣿⡇ ⢸⣿⣿", "  >_ OpenAI Codex (v0.169.0)", "     /home/ara/project"];

/** Drawn at once; the cursor stands in the input box. */
async function shownOn(tool: string, rows: readonly string[], box: number): Promise<string | null> {
  const adapter = await load(tool);
  const text = `${rows.join("\r\n")}\x1b[${box + 1};3H`;
  const data = Buffer.from(text).toString("base64");
  const { view } = await replay(adapter, [{ t_ms: 0, data_b64: data }], { cols: 80, rows: 24 });
  return readLastAnswer(adapter, view);
}

describe("the last answer on the screen of an idle tool", () => {
  it.each([
    ["claude/no-prompt-idle-after-turn-80x24-2.1.329", "Hello! How can I help you today?"],
    ["claude/no-prompt-idle-after-turn-80x24-2.0.76", "Hello! How can I help you today?"],
    // The mark, the indent and the breaks of the screen are no part of it.
    [
      "claude/no-prompt-ask-yn-done-45x20-2.1.329",
      "I am ready to deploy to production. Do you want me to continue? (y/n)",
    ],
    [
      "claude/no-prompt-ask-plain-done-80x24-2.1.329",
      "I can do that two ways.\n\n1. Rewrite the module\n2. Patch the bug only\n\nWhich one do you want? (1/2)",
    ],
    // Behind a tool call it says some more: the last words count.
    ["claude/bash-answered-80x24-2.1.329", "All done: scenario finished."],
    ["codex/exec-answered-80x24-0.169.0", "All done."],
    [
      "codex/no-prompt-prose-question-45x20-0.169.0",
      "I found two old files. Should I go ahead and delete them? (y/n)",
    ],
    [
      "codex/no-prompt-interrupted-80x24-0.169.0",
      "Conversation interrupted - use /feedback if something went wrong",
    ],
  ])("%s", async (file, said) => {
    expect(await shownBy(file)).toBe(said);
  });

  it.each([
    ["claude/no-prompt-tricky-done-45x20-2.1.329", "Are you sure you want to proceed? (yes/no)"],
    [
      "codex/no-prompt-lookalikes-done-80x24-0.169.0",
      "That was the end of the list. Do you want to continue? [Y/n]",
    ],
  ])("%s: says that its beginning is not visible", async (file, end) => {
    const said = await shownBy(file);
    expect(said?.startsWith("…\n")).toBe(true);
    expect(said?.endsWith(end)).toBe(true);
  });

  it.each([
    "claude/no-prompt-idle-80x24-2.1.329",
    "claude/no-prompt-idle-45x20-2.1.329",
    "claude/no-prompt-idle-120x40-2.1.329",
    "codex/no-prompt-idle-80x24-0.169.0",
    "codex/no-prompt-idle-45x20-0.169.0",
  ])("%s: is empty before the first task, whatever the logo draws", async (file) => {
    expect(await shownBy(file)).toBeNull();
  });

  it.each([
    [
      "its question was declined",
      ["● Declined to answer Claude's questions:", "  ⎿  · Which database? (A / B)"],
    ],
    [
      "the file that it wanted to write was rejected",
      ["● Write(new.ts)", "  ⎿  Rejected write to new.ts", "      1 // Continue? (y/n)"],
    ],
  ])("is empty where %s: these are words about a call", async (_, rows) => {
    expect(
      await shownOn("claude", ["❯\u00a0go on", "", ...rows, "", ...CLAUDE_BOX], rows.length + 4),
    ).toBeNull();
  });

  it("is no logo", async () => {
    expect(await shownOn("codex", [...LOGO, "", "› Ask Codex to do anything"], LOGO.length + 1)).toBeNull();
  });

  it("is not looked for where the adapter does not say where it stands", async () => {
    expect(await shownBy("generic/no-prompt-bash-prompt")).toBeNull();
  });
});
