/** `atlasbridge status`: hub, channels and sessions. Starts nothing. */
import type { Command } from "commander";
import { overviewLines } from "./format.js";
import { report } from "./output.js";

export function registerStatus(program: Command): void {
  program
    .command("status")
    .summary("show hub, channels and sessions")
    .option("--json", "print one JSON object", false)
    .action(async ({ json }: { json: boolean }) => {
      const { overview } = await import("../client/manage-hub.js");
      await report(json, overview, (data) => overviewLines(data, Date.now()));
    });
}
