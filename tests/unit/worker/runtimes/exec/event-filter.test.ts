/** The stream filter of each tool gives its text, calls and results from its own events, and ignores unexpected ones. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compileAdapter } from "../../../../../src/worker/adapter-format/compiled/compile-rules.js";
import { EventFilter } from "../../../../../src/worker/runtimes/exec/event-filter.js";

function shown(tool: string, ...events: readonly object[]): string[] {
  const { headless } = compileAdapter(readFileSync(`adapters/${tool}.yaml`, "utf8"), tool);
  if (!headless || headless.show === "lines") throw new Error(`${tool} has no rules`);
  const reader = new EventFilter(headless.show);
  return events
    .flatMap((event) => reader.read(event as Readonly<Record<string, unknown>>))
    .map((activity) => {
      if (activity.kind === "said") return activity.text;
      return activity.kind === "call"
        ? `[${activity.call.title ?? ""} ${activity.call.status ?? ""}]`
        : activity.kind;
    });
}

const delta = (text: string, more: object = {}) => ({
  type: "stream_event",
  event: { type: "content_block_delta", delta: { type: "text_delta", text } },
  parent_tool_use_id: null,
  ...more,
});

describe("the stream filter", () => {
  it("of claude: pieces of text, calls by name and their results; nothing of agents below it, and nothing twice", () => {
    const call = { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls -l\npwd" } };
    expect(
      shown(
        "claude",
        { type: "system", subtype: "init", session_id: "x" },
        delta("I will"),
        delta(" look."),
        delta("not mine", { parent_tool_use_id: "t9" }),
        {
          type: "assistant",
          parent_tool_use_id: null,
          message: { content: [{ type: "text", text: "I will look." }, call] },
        },
        {
          type: "user",
          parent_tool_use_id: null,
          message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "a", is_error: true }] },
        },
        { type: "result", result: "done" },
      ),
    ).toEqual(["I will", " look.", "[Bash: ls -l… in_progress]", "[Bash: ls -l… failed]"]);
  });

  it("of codex: what the agent says, and its commands", () => {
    const item = { type: "commandExecution", id: "i1", command: "touch a" };
    expect(
      shown(
        "codex",
        { method: "item/agentMessage/delta", params: { delta: "Hello" } },
        { method: "item/started", params: { item } },
        {
          method: "item/completed",
          params: { item: { ...item, status: "completed", aggregatedOutput: "" } },
        },
        { method: "thread/status/changed", params: {} },
        { type: "item.completed", item: { type: "agent_message", text: "In one piece." } },
      ),
    ).toEqual([
      "Hello",
      "[commandExecution: touch a in_progress]",
      "[commandExecution: touch a completed]",
      "In one piece.\n",
    ]);
  });

  it("of opencode: text of the assistant", () => {
    expect(
      shown(
        "opencode",
        { type: "text", sessionID: "s", part: { type: "text", text: "Hello" } },
        { type: "step_start", part: {} },
        { type: "message.completed", role: "assistant", parts: [{ type: "text", text: "Older." }] },
        { type: "message.completed", role: "user", parts: [{ type: "text", text: "not shown" }] },
      ),
    ).toEqual(["Hello\n", "Older.\n"]);
  });

  it("of cursor: text of the assistant", () => {
    expect(
      shown("cursor-agent", { type: "assistant", message: { content: [{ type: "text", text: "Hello" }] } }),
    ).toEqual(["Hello\n"]);
  });

  it("never trips over what it does not expect", () => {
    for (const event of [
      {},
      { type: "assistant", message: 7 },
      { type: "user", message: { content: [null, 3, {}] } },
      { type: null },
    ])
      expect(shown("claude", event)).toEqual([]);
  });
});
