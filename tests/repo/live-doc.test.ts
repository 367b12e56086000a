/**
 * The page of live trials says of forty turns with each real CLI what the logs of these sessions say. The sessions themselves are
 * run by hand.
 */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** "At least 40 turns of real use of each CLI that runs here". */
const TURNS_MIN = 40;
const LOGS = "docs/reference/live";

interface Summary {
  readonly turns: number;
  readonly asked: number;
  readonly raised: number;
  readonly missed: number;
  readonly invented: number;
  readonly besides: readonly unknown[];
}

const tools = readdirSync(LOGS).map((file) => file.replace(/\.jsonl$/, ""));

it("every agent that is tested has a log of a live session", () => {
  expect(tools.sort()).toEqual(["claude", "codex", "copilot", "gemini", "opencode", "qwen"]);
});

it.each(tools)(
  "the live session of %s is as long as it must be, and its page tells what its log does",
  (tool) => {
    const lines = readFileSync(`${LOGS}/${tool}.jsonl`, "utf8").trimEnd().split("\n");
    const logged = lines.map((line) => JSON.parse(line) as unknown);
    const { version } = logged[0] as { version: string };
    const { turns, asked, raised, missed, invented, besides } = logged.at(-1) as Summary;
    expect(lines.length - 2).toBe(turns);
    expect(turns).toBeGreaterThanOrEqual(TURNS_MIN);
    expect({ missed, invented }).toEqual({ missed: 0, invented: 0 });
    expect(findRow(tool)).toEqual([
      tool,
      version,
      ...[turns, asked, raised, missed, invented, besides.length].map(String),
      formatConfirmed(logged),
    ]);
  },
);

/** The page's cells for a tool. */
function findRow(tool: string): string[] | undefined {
  const lines = readFileSync("docs/reference/live.md", "utf8").split("\n");
  const row = lines.find((line) => line.startsWith(`| ${tool} |`));
  return row
    ?.split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** How many of the answers from the phone the log calls confirmed. */
function formatConfirmed(logged: readonly unknown[]): string {
  const answers = logged.map((line) => (line as { answered?: string }).answered ?? "");
  const remote = answers.filter((words) => words.startsWith("first choice from the phone: "));
  const confirmed = remote.filter((words) => words.endsWith(", confirmed"));
  return `${confirmed.length} of ${remote.length} confirmed`;
}
