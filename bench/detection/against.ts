/**
 * The cost of a look now beside that of another commit, or of figures that were kept in a file. Both are measured by turns in processes of their own,
 * so that a busy machine strikes both alike, and of each the fastest round counts.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { short, type Report } from "../figures.js";

const run = promisify(execFile);
/** Three of each take some three minutes. */
const ROUNDS = 3;
/** As `costOfALook` has always written them. */
type ComparisonRow = readonly [tool: string, median: string, p95: string];

/** Runs in the tree of either commit: only what both have is imported. */
const MEASURE = `
import { costOfALook } from "./bench/detection/cost.ts";
console.log(JSON.stringify((await costOfALook()).rows));
`;

/** `against`: a commit of this repository, or a file that \`keepCost\` has written. Errors: git's, for what is neither. */
export async function compareCost(against: string): Promise<Report> {
  const kept = existsSync(against) ? [JSON.parse(readFileSync(against, "utf8")) as ComparisonRow[]] : [];
  const here: ComparisonRow[][] = [];
  const there: ComparisonRow[][] = [...kept];
  await withTree(kept.length > 0 ? null : against, async (tree) => {
    for (let round = 0; round < ROUNDS; round++) {
      if (tree !== null) there.push(await measureIn(tree));
      here.push(await measureIn(resolve(".")));
    }
  });
  return sideBySide(against, fastest(there), fastest(here));
}

/** Keeps today's figures for a later comparison on the same machine. */
export async function keepCost(file: string): Promise<void> {
  writeFileSync(file, `${JSON.stringify(fastest([await measureIn(resolve("."))]), null, 2)}\n`);
}

async function withTree(ref: string | null, work: (tree: string | null) => Promise<void>): Promise<void> {
  if (ref === null) return work(null);
  const tree = mkdtempSync(join(tmpdir(), "atb-bench-"));
  try {
    await run("git", ["worktree", "add", "--quiet", "--force", "--detach", tree, ref]);
    symlinkSync(resolve("node_modules"), join(tree, "node_modules"));
    await work(tree);
  } finally {
    await run("git", ["worktree", "remove", "--force", tree]).catch(() =>
      rmSync(tree, { recursive: true, force: true }),
    );
  }
}

async function measureIn(tree: string): Promise<ComparisonRow[]> {
  const args = ["--import", "tsx", "--input-type=module", "--eval", MEASURE];
  const { stdout } = await run(process.execPath, args, { cwd: tree });
  return JSON.parse(stdout) as ComparisonRow[];
}

/** Of every tool the lowest figures. */
export function fastest(rounds: readonly (readonly ComparisonRow[])[]): ComparisonRow[] {
  const tools = [...new Set(rounds.flat().map(([tool]) => tool))];
  return tools.map((tool) => {
    const own = rounds.flat().filter((row) => row[0] === tool);
    const lowest = (column: 1 | 2): string => String(Math.min(...own.map((row) => Number(row[column]))));
    return [tool, lowest(1), lowest(2)];
  });
}

export function sideBySide(
  against: string,
  old: readonly ComparisonRow[],
  now: readonly ComparisonRow[],
): Report {
  const rows = now.map(([tool, median, p95]) => {
    const [, oldMedian = "–", oldP95 = "–"] = old.find(([name]) => name === tool) ?? [];
    return [tool, oldMedian, median, ratio(oldMedian, median), oldP95, p95, ratio(oldP95, p95)];
  });
  return {
    title: `What one look costs: ${against} and now`,
    text: `In ms of this machine, the fastest of ${ROUNDS} rounds by turns.`,
    columns: ["tool", "median before", "median now", "ratio", "p95 before", "p95 now", "ratio"],
    rows,
  };
}

function ratio(old: string, now: string): string {
  return short(Number(now) / Number(old));
}
