/** The summary of a turn holds the text after the last call, the calls that ran, each once, and every No. */
import { describe, expect, it } from "vitest";
import type { Activity } from "../../../../../src/worker/runtimes/protocol/activity.js";
import type { ToolCall } from "../../../../../src/worker/runtimes/protocol/tool-call.js";
import { TurnSummary } from "../../../../../src/worker/runtimes/exec/turn-summary.js";

const END = { stopReason: "end_turn", problem: null, costUsd: null };
const said = (text: string): Activity => ({ kind: "said", by: "agent", text });
const call = (status: string): ToolCall => ({
  id: "c1",
  title: "Bash",
  name: "Bash",
  kind: null,
  status,
  content: [],
  locations: [],
  input: undefined,
  output: undefined,
});
const changed = (status: string, before?: string): Activity => ({
  kind: "call",
  call: call(status),
  before: before === undefined ? undefined : call(before),
});

describe("the summary of a turn", () => {
  it("holds the text after the last call, the calls that ran, each once, and every No", () => {
    const tally = new TurnSummary();
    tally.begin();
    for (const activity of [
      said("On the way."),
      changed("in_progress"),
      changed("completed", "in_progress"),
      changed("completed", "completed"),
      changed("completed"),
      changed("failed", "in_progress"),
      said("All "),
      said("done."),
    ])
      tally.noteActivity(activity);
    const choices = [
      { label: "Yes", intent: "allow_once" as const },
      { label: "No", intent: "reject_once" as const },
    ];
    tally.noteAnswer({ choices }, "Yes");
    tally.noteAnswer({ choices }, "No");
    tally.noteRefusal();
    expect(tally.createReport(END)).toEqual({
      ...END,
      words: "All done.",
      callsDone: 2,
      denials: 2,
      refused: 1,
    });
    tally.begin();
    expect(tally.createReport(END)).toEqual({ ...END, words: "", callsDone: 0, denials: 0, refused: 0 });
  });
});
