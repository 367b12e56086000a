/** `atlasbridge sessions`: what is running under AtlasBridge. */
import type { Command } from "commander";
import { sessionLine } from "../format.js";
import { report } from "../output.js";

export function registerSessions(program: Command): void {
  program
    .command("sessions")
    .summary("list running sessions")
    .option("--all", "also those that have ended", false)
    .option("--json", "print one JSON object", false)
    .action(async ({ all, json }: { all: boolean; json: boolean }) => {
      const { listSessions } = await import("../../app/hub/client/ask-hub.js");
      await report(
        json,
        () => listSessions(all),
        (sessions) =>
          sessions.length === 0
            ? ["No session."]
            : sessions.map((session) => sessionLine(session, Date.now())),
      );
    });
}
