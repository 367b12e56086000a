import type { Command } from "commander";
import type { DemoEnd } from "../../demo/demo.js";
import { EXIT } from "../../model/errors.js";
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
      // A closed window or a signal leaves neither the demo's hub nor its folder behind.
      const { runUntilEnded } = await import("../../app/run/until-ended.js");
      process.exitCode = await runUntilEnded(async (halt) => {
        const isAttended = process.stdin.isTTY && process.stdout.isTTY && !auto;
        const end = isAttended ? await playAttended(halt) : "no room";
        return end === "no room" ? playAutomatically(halt) : reportAttended(end);
      });
    });
}

const NAME_WIDTH = 11;

async function playAttended(halt: AbortSignal): Promise<DemoEnd | null | "no room"> {
  const { DemoScreen, SMALLEST } = await import("../../demo/screen.js");
  const { columns, rows } = process.stdout;
  if (columns < SMALLEST.columns || rows < SMALLEST.rows) return "no room";
  const { playDemo } = await import("../../demo/demo.js");
  const screen = new DemoScreen();
  try {
    return await playDemo(screen, halt);
  } finally {
    screen.close();
  }
}

function reportAttended(end: DemoEnd | null): number {
  if (end === null) {
    printLines(["The demo was left before its end.", "", ...describeNext()]);
    return EXIT.ok;
  }
  printLines([
    "Each question was on the phone, too. The agent got:",
    "",
    ...end.results.map(({ step, effect }) => `  ${step.step.padEnd(NAME_WIDTH)} ${effect ?? "nothing"}`),
    "",
    ...describeNext(),
  ]);
  return reportProblems(end);
}

async function playAutomatically(halt: AbortSignal): Promise<number> {
  const { playDemo } = await import("../../demo/demo.js");
  printLines(["A scripted agent in a real terminal, answered through a real hub:", ""]);
  const end = await playDemo(null, halt);
  if (end === null) return EXIT.error;
  printLines(
    end.results.flatMap(({ step, effect, timeline }) => [
      `${step.step.padEnd(NAME_WIDTH)} ${step.words} → the agent got: ${effect ?? "nothing"}`,
      `            ${timeline}`,
      "",
    ]),
  );
  if (end.problems.length === 0)
    printLines([
      "Every answer had its effect. The secret was refused over the hub and typed at the terminal.",
      "",
      ...describeNext(),
    ]);
  return reportProblems(end);
}

function reportProblems({ problems }: DemoEnd): number {
  for (const problem of problems) process.stderr.write(`atlasbridge: ${problem}\n`);
  return problems.length === 0 ? EXIT.ok : EXIT.error;
}

function describeNext(): string[] {
  return ["To have your own phone asked, which takes two minutes:", "", `  ${getOwnName()} setup`];
}
