import type { Command } from "commander";
import type { HubOverview } from "../client/manage-hub.js";
import type { UnconfirmedChannel } from "../doctor/channels.js";
import { formatOverview } from "./format.js";
import { printResult } from "./output.js";

export function registerStatus(program: Command): void {
  program
    .command("status")
    .summary("show hub, channels and sessions")
    .option("--json", "print one JSON object", false)
    .action(async ({ json }: { json: boolean }) => {
      await printResult(json, readStatus, ({ unconfirmed, ...overview }) => [
        ...formatOverview(overview, Date.now()),
        ...unconfirmed.map(
          ({ channel, reason, action }) => `⚠ ${channel} will stay closed: ${reason} → ${action}`,
        ),
      ]);
    });
}

interface Status extends HubOverview {
  /** Empty while a hub runs: it lists its channels itself. */
  readonly unconfirmed: readonly UnconfirmedChannel[];
}

async function readStatus(): Promise<Status> {
  const { getOverview } = await import("../client/manage-hub.js");
  const overview = await getOverview();
  if (overview.hub !== null) return { ...overview, unconfirmed: [] };
  const { listUnconfirmedChannels } = await import("../doctor/channels.js");
  return { ...overview, unconfirmed: await listUnconfirmedChannels() };
}
