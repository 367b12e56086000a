/** `atlasbridge demo`: output of the demo. */
import type { Command } from "commander";
import type { DemoResult } from "../../demo/demo.js";
import { EXIT } from "../../model/errors.js";
import { SMALLEST } from "../../demo/draw-split.js";
import { getOwnName } from "../own-name.js";
import { printLines } from "../output.js";

export function registerDemo(program: Command): void {
  program
    .command("demo")
    .summary("try everything with a scripted agent: no token, no account")
    .description(
      "Shows a scripted agent in its terminal, and the same prompts on a phone beside it. Enter answers from the phone. Takes twenty seconds.",
    )
    .option("--auto", "answer automatically through the hub (works without a terminal)", false)
    .action(async ({ auto }: { auto: boolean }) => {
      const attended = process.stdin.isTTY && process.stdout.isTTY && !auto && hasRoom(process.stdout);
      process.exitCode = await (attended ? runAttended() : runAutomatic());
    });
}

/** All names of steps are shorter. */
const NAME_WIDTH = 11;

async function runAttended(): Promise<number> {
  const { runAttendedDemo } = await import("../../demo/attended.js");
  const results = await runAttendedDemo();
  if (results === null) {
    printLines(["The demo was left before its end.", "", ...describeNext()]);
    return EXIT.ok;
  }
  printLines([
    "Each question stood in the agent's terminal and on a phone. This is what the agent got:",
    "",
    ...results.map(({ step, effect }) => `  ${step.step.padEnd(NAME_WIDTH)} ${effect ?? "nothing"}`),
    "",
    ...describeNext(),
  ]);
  return EXIT.ok;
}

function hasRoom({ columns, rows }: { readonly columns: number; readonly rows: number }): boolean {
  return columns >= SMALLEST.columns && rows >= SMALLEST.rows;
}

function describeNext(): string[] {
  return [
    "The phone here was drawn. To have your own phone asked, which takes two minutes:",
    "",
    `  ${getOwnName()} setup`,
  ];
}

async function runAutomatic(): Promise<number> {
  const { runAutoDemo } = await import("../../demo/auto.js");
  printLines(["A scripted agent in a real terminal, answered through a real hub:", ""]);
  const { results, problems } = await runAutoDemo(() => undefined);
  printLines(results.flatMap((result) => describe(result, `${result.step.words} → `)));
  if (problems.length === 0)
    printLines([
      "Every answer had its effect. The secret was refused over the hub and typed at the terminal.",
      "",
      ...describeNext(),
    ]);
  for (const problem of problems) process.stderr.write(`atlasbridge: ${problem}\n`);
  return problems.length === 0 ? EXIT.ok : EXIT.error;
}

function describe({ step, effect, timeline }: DemoResult, given: string): string[] {
  return [
    `${step.step.padEnd(NAME_WIDTH)} ${given}the agent got: ${effect ?? "nothing"}`,
    `            ${timeline}`,
    "",
  ];
}
