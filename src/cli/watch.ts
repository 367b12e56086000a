import type { Command } from "commander";

export function registerWatch(program: Command): void {
  program
    .command("watch")
    .summary("show prompts as they arrive and answer them here")
    .description(
      "Shows sessions and open prompts, and answers them: arrow keys and Enter, q quits.\n" +
        "Without a terminal it works line by line: `k7 2` answers, `l` lists, `q` quits.",
    )
    .action(async () => {
      if (process.stdin.isTTY && process.stdout.isTTY)
        await (await import("./watch/screen.js")).watchOnScreen();
      else await (await import("./watch/lines.js")).watchInLines();
    });
}
