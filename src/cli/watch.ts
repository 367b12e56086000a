/** `atlasbridge watch`: the open questions as they come, on a whole screen, or as lines where there is none. */
import type { Command } from "commander";

export function registerWatch(program: Command): void {
  program
    .command("watch")
    .summary("show questions as they come and answer them here")
    .description(
      "Shows sessions and open questions as they come, and answers them: arrow keys and Enter, q quits.\n" +
        "Where input or output is no terminal it goes by lines: `k7 2` answers, `l` lists, `q` quits.",
    )
    .action(async () => {
      // What draws is loaded by those who see it.
      if (process.stdin.isTTY && process.stdout.isTTY)
        await (await import("./watch/screen.js")).watchOnScreen();
      else await (await import("./watch/lines.js")).watchInLines();
    });
}
