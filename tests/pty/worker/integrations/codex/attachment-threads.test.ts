/**
 * A thread of codex is joined only while the tool in the terminal shows it. Its open prompts follow changed requests, and end
 * with the thread or the tool.
 */
import { afterEach, describe, expect, it } from "vitest";
import { STRAYED_MS } from "../../../../../src/worker/integrations/codex/thread-finder.js";
import { IDLE, WAITING, WORKING } from "../../../../support/app-server.js";
import { COMPOSER, drawDialog } from "../../../../support/codex-screens.js";
import { answer } from "../../../support/hooked-tool.js";
import { endAll, JoinedTool, until } from "../../../support/joined-tool.js";

afterEach(endAll);

const COMMAND = "rm -rf build";
const EDIT = { threadId: "mine", turnId: "turn", itemId: "i", startedAtMs: 1 };

const changing = (diff: string) => [{ path: "/p/a.txt", kind: { type: "add" }, diff }];

function patched(tool: JoinedTool, diff: string): void {
  const params = { threadId: "mine", turnId: "turn", itemId: "i", changes: changing(diff) };
  tool.server.tell({ method: "item/fileChange/patchUpdated", params });
}

/** An edit of the tool's own thread begins, and is asked about. */
async function begins(tool: JoinedTool): Promise<void> {
  tool.server.does("mine", WAITING);
  await tool.says("blocked");
  const item = { type: "fileChange", id: "i", status: "inProgress", changes: changing("harmless\n") };
  tool.server.tell({ method: "item/started", params: { threadId: "mine", turnId: "turn", item } });
}

const asksForEdit = (tool: JoinedTool): void =>
  tool.server.tell({ method: "item/fileChange/requestApproval", id: 3, params: EDIT });

describe("a thread that was joined", () => {
  it("by coincidence is left when it does something else than the tool", async () => {
    const tool = await JoinedTool.start({ others: ["theirs"] });
    await until(() => tool.server.asked.filter((method) => method === "thread/read").length === 2);
    tool.draws(COMPOSER);
    await tool.says("idle");
    await tool.compares();
    await tool.says("working");
    tool.server.does("theirs", WORKING);
    await tool.compares();
    tool.server.does("mine", WORKING);
    await tool.compares();
    await until(() => tool.server.asked.includes("thread/resume"));
    tool.server.does("theirs", IDLE);
    await tool.compares();
    tool.server.does("theirs", WAITING);
    tool.asks(7, "rm -rf /their/things", "theirs");
    await tool.compares();
    tool.clock.advance(STRAYED_MS);
    await until(() => tool.server.asked.includes("thread/unsubscribe"));
    tool.asks(8, "rm -rf /their/things", "theirs");
    await tool.server.heard();
    expect(await tool.promptCount()).toBe(0);
  });

  it("is left with its prompts once the tool shows another thread", async () => {
    const tool = await JoinedTool.start();
    await tool.works();
    tool.server.does("mine", WAITING);
    await tool.says("blocked");
    await tool.compares();
    tool.asks(1, COMMAND);
    const event = await tool.raised();
    await tool.says("idle");
    await tool.compares();
    tool.clock.advance(STRAYED_MS);
    expect(await tool.next()).toMatchObject({ kind: "withdrawn", promptId: event.promptId });
    await until(() => tool.server.asked.includes("thread/unsubscribe"));
    tool.asks(5, "rm -rf /theirs");
    await tool.server.heard();
    expect(await tool.promptCount()).toBe(1);
    expect(tool.server.answers).toEqual([]);
  });

  it("keeps its prompt where the tool says a moment late that it waits", async () => {
    const tool = await JoinedTool.start();
    await tool.works();
    tool.server.does("mine", WAITING);
    tool.asks(1, COMMAND);
    await tool.raised();
    await tool.compares();
    await tool.says("blocked");
    await tool.compares();
    tool.clock.advance(STRAYED_MS);
    await tool.server.heard();
    expect(await tool.promptCount()).toBe(1);
    expect(tool.server.asked).not.toContain("thread/unsubscribe");
  });

  it("is looked for again after the connection broke", async () => {
    const tool = await JoinedTool.start();
    await tool.works();
    tool.server.cut();
    await until(() => tool.server.clients === 0);
    const greetings = (): number => tool.server.asked.filter((method) => method === "initialize").length;
    while (greetings() < 2) {
      tool.clock.advance(300);
      await new Promise((look) => setTimeout(look, 5));
    }
    await until(() => tool.server.asked.filter((method) => method === "thread/read").length === 2);
    tool.asks(1, COMMAND);
    await tool.server.heard();
    expect(await tool.promptCount()).toBe(0);
  });

  it("is found beside one that cannot be read, and the connection is kept", async () => {
    const tool = await JoinedTool.start({ others: ["broken"] });
    tool.server.unreadable.add("broken");
    await tool.works();
    expect(tool.server.asked.filter((method) => method === "initialize")).toHaveLength(1);
    tool.asks(1, COMMAND);
    expect(await tool.raised()).toMatchObject({ sources: [{ kind: "protocol" }] });
  });
});

describe("a dialog of a tool that was joined", () => {
  it("is raised at once where only a thread of another client waits", async () => {
    const tool = await JoinedTool.start({ others: ["theirs"] });
    await tool.works();
    tool.server.does("theirs", WAITING);
    await tool.compares();
    await tool.says("blocked");
    tool.draws(drawDialog(COMMAND));
    expect(await tool.raised()).toMatchObject({ sources: [{ kind: "screen" }] });
    expect(tool.isHolding).toBe(false);
  });
});

describe("what a tool that was joined asks", () => {
  it("about edits shows the latest edits", async () => {
    const tool = await JoinedTool.start();
    await tool.works();
    await begins(tool);
    patched(tool, "evil\n");
    asksForEdit(tool);
    const { content } = await tool.raised();
    expect(content.text).toContain("evil");
    expect(content.text).not.toContain("harmless");
  });

  it("about edits is read from its dialog once the edits have changed", async () => {
    const tool = await JoinedTool.start();
    await tool.works();
    await begins(tool);
    asksForEdit(tool);
    const event = await tool.raised();
    patched(tool, "harmless\n");
    await tool.server.heard();
    expect(await tool.promptCount()).toBe(1);
    patched(tool, "evil\n");
    expect(await tool.next()).toMatchObject({ kind: "withdrawn", promptId: event.promptId });
    expect(await answer(tool.adapter, event, "1")).toMatchObject({ kind: "refused" });
    expect(tool.server.answers).toEqual([]);
  });

  it("is raised beside any number of unknown requests that never end", async () => {
    const tool = await JoinedTool.start();
    await tool.works();
    for (let id = 100; id < 300; id++)
      tool.server.tell({ method: "item/tool/call", id, params: { threadId: "mine" } });
    tool.asks(1, COMMAND);
    expect(await tool.raised()).toMatchObject({ sources: [{ kind: "protocol" }] });
  });

  it("has a receipt at once where the tool ends under the answer", async () => {
    const { tool, event } = await JoinedTool.asking(COMMAND);
    const result = answer(tool.adapter, event, "1");
    await until(() => tool.server.answers.length > 0);
    tool.adapter.session.terminal.kill("SIGKILL");
    // The clock of whoever has joined stands: nothing but the end settles it.
    expect(await result).toMatchObject({ receipt: { outcome: "uncertain", route: "protocol" } });
  });

  it.each([
    ["is told why it was not allowed", "declined", true],
    ["is not told why not where somebody else had allowed it", "completed", false],
  ])("%s", async (_, status, isTold) => {
    const { tool, event } = await JoinedTool.asking(COMMAND);
    const at = event.choices.findIndex(({ takesText }) => takesText !== undefined);
    const result = answer(tool.adapter, event, String(at + 1), undefined, "never do that");
    await until(() => tool.server.answers.length > 0);
    tool.server.resolve("mine", 1);
    expect(tool.server.asked).not.toContain("turn/steer");
    const item = { type: "commandExecution", id: "item-1", status, command: COMMAND };
    tool.server.tell({ method: "item/completed", params: { threadId: "mine", turnId: "turn", item } });
    await tool.server.heard();
    await tool.closesDialog();
    await result;
    if (isTold) await until(() => tool.server.asked.includes("turn/steer"));
    expect(tool.server.asked.includes("turn/steer")).toBe(isTold);
  });
});
