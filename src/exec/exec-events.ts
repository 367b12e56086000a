/** The events of `exec --json`. Pure. */
import { findUsd, type Activity } from "../worker/runtimes/protocol/activity.js";
import { describePrompt, type SessionEvent } from "../worker/session/events/session-events.js";
import type { SessionReport } from "../worker/runtimes/exec/session-report.js";

export type ExecEvent = SessionEvent;

const REFUSED: Readonly<Record<Extract<SessionReport, { type: "refused" }>["why"], string>> = {
  unattended: "nobody could be asked",
  timed_out: "nobody answered in time",
};

export function toEvent(report: SessionReport): ExecEvent | null {
  switch (report.type) {
    case "activity":
      return toActivityEvent(report.activity);
    case "asked":
      return { type: "asked", ...describePrompt(report.event) };
    case "answered":
      return { type: "answered", prompt_id: report.event.promptId, answer: report.label, by: report.by };
    case "receipt": {
      const { outcome, evidence } = report.receipt;
      return { type: "receipt", prompt_id: report.promptId, outcome, evidence };
    }
    case "withdrawn":
      return { type: "withdrawn", prompt_id: report.event.promptId, reason: report.reason };
    case "refused":
      return { type: "refused", question: report.question, reason: REFUSED[report.why] };
  }
}

function toActivityEvent(activity: Activity): ExecEvent | null {
  switch (activity.kind) {
    case "said":
      return { type: activity.by === "thought" ? "thought" : "text", text: activity.text };
    case "call": {
      const { call, before } = activity;
      if (!before)
        return { type: "call", id: call.id, tool: call.name ?? call.title, input: call.input ?? null };
      const isOver = call.status === "completed" || call.status === "failed";
      const isNews = call.status !== before.status || call.output !== before.output;
      return isOver && isNews
        ? { type: "result", id: call.id, failed: call.status === "failed", output: call.output ?? null }
        : null;
    }
    case "plan":
      return { type: "plan", steps: activity.steps };
    case "notice":
      return { type: "notice", text: activity.text };
    case "usage":
      return { type: "usage", used: activity.used, size: activity.size, cost_usd: findUsd(activity) };
    case "setting":
    case "turn":
      return null;
  }
}
