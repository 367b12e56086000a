/**
 * In recordings of real tools after a No, the input box for the words of a denial is recognised as empty, or as holding a draft
 * that nothing may be added to.
 */
import { describe, expect, it } from "vitest";
import { findScenarios } from "../../prompt-lab/scenario/find-scenarios.js";
import { createAdapterLoader } from "../../src/plugins/adapters/adapters.js";
import { findComposer } from "../../src/worker/detection/composer.js";
import { replay } from "../../prompt-lab/replay/replay.js";
import { detectState } from "../../src/worker/detection/states.js";

const load = createAdapterLoader({ adaptersDir: "" });
const SIZES = ["80x24", "45x20"] as const;
const TOOLS = [
  { name: "codex", version: "0.169.0", denied: "exec-esc", drafts: SIZES },
  { name: "gemini", version: "0.61.0", denied: "shell-esc", drafts: SIZES },
  // Its narrow recording ends before the words are drawn.
  { name: "opencode", version: "1.18.33", denied: "bash-esc", drafts: ["80x24", "120x40"] },
  { name: "qwen", version: "0.24.4", denied: "shell-esc", drafts: SIZES },
] as const;

async function composerIn(file: string): Promise<{ isEmpty: boolean; state: string | null }> {
  const [scenario] = findScenarios([`prompt-lab/scenarios/${file}.json`]);
  if (!scenario) throw new Error(`no scenario ${file}`);
  const { tool, events, cols, rows, tty } = scenario;
  const adapter = await load(tool);
  const { view } = await replay(adapter, events, { cols, rows, tty });
  return { isEmpty: findComposer(adapter, view)?.field?.text === "", state: detectState(adapter, view, {}) };
}

describe.each(TOOLS)("the composer of $name", ({ name, version, denied, drafts }) => {
  it.each(SIZES)("is known to be empty after a No at %s", async (size) => {
    const composer = await composerIn(`${name}/${denied}-${size}-${version}`);
    expect(composer).toEqual({ isEmpty: true, state: "idle" });
  });

  it.each(drafts)("is known to hold a draft at %s", async (size) => {
    const composer = await composerIn(`${name}/no-prompt-draft-${size}-${version}`);
    expect(composer).toEqual({ isEmpty: false, state: "idle" });
  });
});
