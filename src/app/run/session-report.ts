import type { SessionId } from "../../model/ids.js";
import type { TerminalExit } from "../../worker/process/terminal.js";
import type { EventOutput } from "../../worker/session/events/event-output.js";
import { drainEvents, reportEvents } from "../../worker/session/events/report-events.js";
import type { LinkOptions } from "./relay/connect-session.js";

export interface SessionReporting {
  readonly seen: LinkOptions["adapter"];
  readonly finish: (exit: TerminalExit) => Promise<void>;
}

/** `relay`: whether a link reads the events. */
export function startReport(
  adapter: LinkOptions["adapter"],
  events: EventOutput | null,
  {
    sessionId,
    tool,
    relay,
  }: { readonly sessionId: SessionId; readonly tool: string; readonly relay: boolean },
): SessionReporting {
  if (!events) return { seen: adapter, finish: () => Promise.resolve() };
  const seen = reportEvents(adapter, (event) => events.write(event));
  events.write({ type: "started", session_id: sessionId, tool });
  const drained = relay ? Promise.resolve() : drainEvents(seen);
  return {
    seen,
    finish: async ({ exitCode, signal, signalName }) => {
      await drained;
      events.write({ type: "exit", exit_code: exitCode, signal: signalName ?? signal });
      await events.finish();
    },
  };
}
