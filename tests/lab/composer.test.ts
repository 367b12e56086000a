/** The input box of an idle tool is recognised as empty on every recording that ends idle, and never with a draft in it. */
import { describe, expect, it } from "vitest";
import { findScenarios } from "../../prompt-lab/scenario/find-scenarios.js";
import { createAdapterLoader } from "../../src/plugins/adapters/adapters.js";
import { findComposer } from "../../src/worker/detection/composer.js";
import { replay } from "../../prompt-lab/replay/replay.js";

const load = createAdapterLoader({ adaptersDir: "" });

/** Recordings that end with somebody's words in the box. */
const HOLDS_WORDS: Readonly<Record<string, RegExp>> = {
  claude: /text-typed|slash-complete/,
  codex: /draft/,
  gemini: /nothing/,
  opencode: /draft/,
  // What was interrupted comes back into the box.
  qwen: /interrupted/,
};
const TAKES_TASKS = ["claude", "codex", "gemini", "opencode", "qwen"] as const;

/** What stands in the input box at the end of every recording that ends idle; null where none is drawn. */
async function readBoxes(tool: string): Promise<Map<string, string | null>> {
  const boxes = new Map<string, string | null>();
  const adapter = await load(tool);
  for (const { file, expected, events, cols, rows, tty } of findScenarios([`prompt-lab/scenarios/${tool}`])) {
    // Of the dialogs one size will do: behind them all boxes look alike.
    if (expected.state !== "idle" || !/no-prompt|-answered-80x24/.test(file)) continue;
    const { view } = await replay(adapter, events, { cols, rows, tty });
    boxes.set(file.replace(/^.*\//, ""), findComposer(adapter, view)?.field?.text ?? null);
  }
  return boxes;
}

describe("the input box of an idle tool", () => {
  it.each(TAKES_TASKS)(
    "%s: is proved empty on every recording that ends idle, and never with a draft in it",
    async (tool) => {
      const boxes = [...(await readBoxes(tool))];
      const wrong = boxes.filter(([name, text]) => (text === "") === HOLDS_WORDS[tool]!.test(name));
      expect(wrong).toEqual([]);
      expect(boxes.length).toBeGreaterThan(8);
    },
  );
});
