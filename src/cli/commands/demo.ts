/** `atlasbridge demo`: output of the demo. */
import type { Command } from "commander";
import type { DemoResult } from "../../demo/demo.js";
import { EXIT } from "../../model/errors.js";
import { printLines } from "../output.js";

export function registerDemo(program: Command): void {
  program
    .command("demo")
    .summary("try everything with a scripted agent: no token, no account")
    .option("--auto", "answer automatically through the hub (works without a terminal)", false)
    .action(async ({ auto }: { auto: boolean }) => {
      const attended = process.stdin.isTTY && process.stdout.isTTY && !auto;
      process.exitCode = await (attended ? runAttended() : runAutomatic());
    });
}

async function runAttended(): Promise<number> {
  const { runAttendedDemo } = await import("../../demo/attended.js");
  const results = await runAttendedDemo((home) =>
    printLines([
      "A scripted agent will ask five questions. Answer them here, or from a second terminal with",
      "",
      `  ATLASBRIDGE_HOME=${home} ${getOwnName()} watch`,
      "",
    ]),
  );
  printLines(["", ...results.flatMap((result) => describe(result, ""))]);
  return EXIT.ok;
}

/** How this program was started: a bare `npx` outside the clone would fetch another package of this name. */
function getOwnName(): string {
  const program = process.argv[1] ?? "atlasbridge";
  return program.endsWith(".js") ? `node ${program}` : program;
}

async function runAutomatic(): Promise<number> {
  const { runAutoDemo } = await import("../../demo/auto.js");
  printLines(["A scripted agent in a real terminal, answered through a real hub:", ""]);
  const { results, problems } = await runAutoDemo(() => undefined);
  printLines(results.flatMap((result) => describe(result, `${result.step.words} → `)));
  if (problems.length === 0)
    printLines([
      "Every answer had its effect. The secret was refused over the hub and typed at the terminal.",
    ]);
  for (const problem of problems) process.stderr.write(`atlasbridge: ${problem}\n`);
  return problems.length === 0 ? EXIT.ok : EXIT.error;
}

function describe({ step, effect, timeline }: DemoResult, given: string): string[] {
  return [
    `${step.step.padEnd(10)} ${given}the agent got: ${effect ?? "nothing"}`,
    `           ${timeline}`,
    "",
  ];
}
