/** The usual command lines of `run` are read without commander, exactly as commander reads them. */
import { Command } from "commander";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunToolOptions } from "../../../../src/app/run/run-tool-options.js";
import { registerRun } from "../../../../src/cli/commands/run.js";
import { readPlainRun } from "../../../../src/cli/run/plain-run.js";
import { buildToolOptions } from "../../../../src/cli/run/run-flags.js";

/** What commander makes of it; null where it complains. */
async function readByCommander(words: readonly string[]): Promise<RunToolOptions | null> {
  const seen: RunToolOptions[] = [];
  const program = new Command("atlasbridge").enablePositionalOptions().exitOverride();
  const ignore = (): void => undefined;
  registerRun(program, {
    runTool: (options) => Promise.resolve(seen.push(options)),
    runAgent: () => Promise.reject(new Error("no agent")),
  });
  for (const each of [program, ...program.commands])
    each.exitOverride().configureOutput({ writeOut: ignore, writeErr: ignore });
  const exitCode = process.exitCode;
  try {
    await program.parseAsync(["node", "atlasbridge", ...words]);
  } catch {
    return null;
  } finally {
    process.exitCode = exitCode;
  }
  return seen[0] ?? null;
}

function readPlain(words: readonly string[]): RunToolOptions | null {
  const plain = readPlainRun(words);
  return plain && buildToolOptions(plain.tool, plain.args, plain.flags);
}

const WORDS = [
  ...["--quiet", "--no-relay", "--relay-required", "--ask", "--no-hooks", "--isolate", "--label", "--cwd"],
  ...[
    "--adapter",
    "--console",
    "--events",
    "--help",
    "-h",
    "-x",
    "--",
    "-",
    "",
    "claude",
    "sh",
    "-c",
    "/tmp",
  ],
  ...["--cwd=/tmp", "--label=x", "--qui", "a b", "--no-quiet", "run", "x".repeat(81)],
];

describe("a usual command line", () => {
  it.each([
    [["run", "claude"]],
    [["run", "--quiet", "--", "sh", "-c", "exit 3"]],
    [["run", "--ask", "--label", "night build", "claude", "--", "--help"]],
    [["run", "--cwd", "/tmp", "--adapter", "generic", "--relay-required", "aider", "--quiet"]],
    [["run", "--no-relay", "--no-hooks", "--isolate", "--", "--odd"]],
  ])("is read without commander: %j", async (words) => {
    expect(readPlain(words)).not.toBeNull();
    expect(readPlain(words)).toEqual(await readByCommander(words));
  });

  it.each([
    [["run"]],
    [["run", "--"]],
    [["run", "--help"]],
    [["run", "--no-relay", "--relay-required", "sh"]],
    [["run", "--label", "x".repeat(81), "sh"]],
    [["run", "--label", "--quiet", "sh"]],
    [["run", "--unknown", "sh"]],
    [["status"]],
  ])("that may be a mistake is left to commander: %j", (words) => {
    expect(readPlainRun(words)).toBeNull();
  });

  it("means the same to both, whatever the words are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...WORDS), { maxLength: 7 }), async (rest) => {
        const plain = readPlain(["run", ...rest]);
        if (plain !== null) expect(plain).toEqual(await readByCommander(["run", ...rest]));
      }),
      { numRuns: 1000 },
    );
  });
});
