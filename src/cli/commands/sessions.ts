import type { Command } from "commander";
import { formatSessionLine, formatSession } from "../format.js";
import { printResult } from "../output.js";

interface SessionsOptions {
  readonly all: boolean;
  readonly json: boolean;
}

export function registerSessions(program: Command): void {
  program
    .command("sessions")
    .summary("list running sessions, or show one in detail")
    .argument("[session]", "the session to show: its id, the beginning of it, or its label")
    .option("--all", "include ended sessions", false)
    .option("--json", "print one JSON object", false)
    .action(async (named: string | undefined, options: SessionsOptions) => {
      await (named === undefined ? listAll(options) : showOne(named, options));
    });
}

async function listAll({ all, json }: SessionsOptions): Promise<void> {
  const { listSessions } = await import("../../client/ask-hub.js");
  await printResult(
    json,
    () => listSessions(all),
    (sessions) =>
      sessions.length === 0
        ? ["No sessions."]
        : sessions.map((session) => formatSessionLine(session, Date.now())),
  );
}

async function showOne(named: string, { json }: SessionsOptions): Promise<void> {
  const { showSession } = await import("../../client/ask-hub.js");
  await printResult(
    json,
    () => showSession(named),
    (session) => formatSession(session, Date.now()),
  );
}
