import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** "At least 40 turns of real use of each CLI that runs here". */
const TURNS_MIN = 40;
const LOGS = "docs/detection/live";

interface Summary {
  readonly turns: number;
  readonly asked: number;
  readonly raised: number;
  readonly missed: number;
  readonly invented: number;
}

/** `| claude | 2.1.329 | 42 | 31 | 31 | 0 | 0 |`: tool, version, turns, asked, raised, missed, invented. */
const ROW = /^\| (\w+) \| ([\d.]+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|/gm;

const tools = readdirSync(LOGS).map((file) => file.replace(/\.jsonl$/, ""));

it("live sessions were tried with every agent that is tested", () => {
  expect(tools.sort()).toEqual(["claude", "codex", "copilot", "gemini", "opencode", "qwen"]);
});

it.each(tools)(
  "the live session of %s is as long as it must be, and its page tells what its log does",
  (tool) => {
    const lines = readFileSync(`${LOGS}/${tool}.jsonl`, "utf8").trimEnd().split("\n");
    const [head, sum] = [lines[0], lines.at(-1)].map((line) => JSON.parse(line ?? "") as unknown);
    const { version } = head as { version: string };
    const { turns, asked, raised, missed, invented } = sum as Summary;
    expect(lines.length - 2).toBe(turns);
    expect(turns).toBeGreaterThanOrEqual(TURNS_MIN);
    expect({ missed, invented }).toEqual({ missed: 0, invented: 0 });
    const told = [...readFileSync("docs/detection/live.md", "utf8").matchAll(ROW)].find(
      (row) => row[1] === tool,
    );
    expect(told?.slice(2)).toEqual([version, ...[turns, asked, raised, missed, invented].map(String)]);
  },
);
