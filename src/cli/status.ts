/** `atlasbridge status`: hub, channels and sessions. Starts nothing. */
import type { Command } from "commander";
import { formatOverview } from "./format.js";
import { printResult } from "./output.js";

export function registerStatus(program: Command): void {
  program
    .command("status")
    .summary("show hub, channels and sessions")
    .option("--json", "print one JSON object", false)
    .action(async ({ json }: { json: boolean }) => {
      const { getOverview } = await import("../client/manage-hub.js");
      await printResult(json, getOverview, (data) => formatOverview(data, Date.now()));
    });
}
