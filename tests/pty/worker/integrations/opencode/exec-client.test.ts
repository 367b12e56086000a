/**
 * `exec` drives opencode through its server of sessions: it raises calls, changes and questions with all that the server sends,
 * answers each, ends with the turn, and never shows the server's password.
 */
import { describe, expect, it } from "vitest";
import { AtlasBridgeError } from "../../../../../src/model/errors.js";
import { granted, replyTo } from "../../../../support/acp-agent.js";
import { headlessAgents, lastNoted, type HeadlessAgent } from "../../../../support/headless-agent.js";

const started = headlessAgents("opencode");

/** What the agent got for the first question of this task. */
async function answered(agent: HeadlessAgent, task: string, value: string, text?: string): Promise<unknown> {
  const turn = agent.adapter.prompt(task);
  const event = await agent.raised();
  const reply = { ...replyTo(event, value), ...(text !== undefined && { text }) };
  expect(await agent.adapter.injectReply(reply, granted)).toMatchObject({ receipt: { outcome: "answered" } });
  await turn;
  return lastNoted(agent);
}

describe("a tool that is a server of sessions", () => {
  it("is told to ask about all that its own settings do not cover, and gets its context with each task", async () => {
    const agent = await started({ context: "be brief" });
    const session = agent.noted().find((line) => line.startsWith("session ")) ?? "";
    expect(JSON.parse(session.slice(8))).toEqual({
      permission: ["bash", "edit", "webfetch", "websearch", "task"].map((permission) => ({
        permission,
        pattern: "*",
        action: "ask",
      })),
    });
    await agent.adapter.prompt("say hello");
    expect(agent.noted()).toContain("system be brief");
  });

  it("shows each output and each action once, and nothing of its task", async () => {
    const agent = await started();
    const turn = agent.adapter.prompt("run touch a");
    await agent.adapter.injectReply(replyTo(await agent.raised(), "1"), granted);
    expect(await turn).toMatchObject({ problem: null, stopReason: "end_turn", callsDone: 1, denials: 0 });
    expect(await agent.adapter.prompt("say hello")).toMatchObject({ words: "hello" });
    expect(agent.shown().match(/hello/g)).toHaveLength(1);
    expect(agent.shown().match(/touch a/g)?.length).toBeGreaterThanOrEqual(2);
    expect(agent.shown()).not.toContain("say hello");
  });

  it("is reported as cancelled where another program has stopped its turn", async () => {
    const agent = await started();
    expect(await agent.adapter.prompt("aborted")).toMatchObject({ stopReason: "cancelled", problem: null });
    expect(await agent.adapter.prompt("say hi")).toMatchObject({ stopReason: "end_turn" });
  });

  it("raises prompts with the whole call, and with what a Yes for good covers", async () => {
    const agent = await started();
    const turn = agent.adapter.prompt("run touch a");
    const event = await agent.raised();
    expect(event).toMatchObject({ excerpt: "Run this command?", safetyClass: "permission" });
    expect(event.content).toMatchObject({ text: "touch a\ndescription: as asked", cut: null });
    expect(event.choices.map(({ label, intent }) => [label, intent])).toEqual([
      ["Yes", "allow_once"],
      ["Yes, and don't ask again for bash touch * until the tool is restarted", "allow_always"],
      ["No", "reject_once"],
      ["No, and stop the turn", "reject_once"],
    ]);
    await agent.adapter.injectReply(replyTo(event, "2"), granted);
    await turn;
    expect(lastNoted(agent)).toEqual({ reply: "always" });
  });

  it("gets a No with its reason, a plain No with our text, and a No that stops the turn without text", async () => {
    const agent = await started();
    expect(await answered(agent, "run a", "3", "not there")).toEqual({
      reply: "reject",
      message: "not there",
    });
    expect(await answered(agent, "run a", "3")).toEqual({ reply: "reject", message: "The user said no." });
    expect(await answered(agent, "run a", "4")).toEqual({ reply: "reject" });
  });

  it("shows a change by its diff, and what else an answer covers", async () => {
    const agent = await started();
    const turn = agent.adapter.prompt("edit /srv/a.ts");
    const event = await agent.raised();
    expect(event.excerpt).toBe("Make these edits?");
    expect(event.content.text).toBe("/srv/a.ts\n-a\n+b");
    await agent.adapter.injectReply(replyTo(event, "1"), granted);
    await turn;
    void agent.adapter.prompt("fetch https://example.org/");
    const other = await agent.raised();
    expect(other).toMatchObject({
      excerpt: "Allow webfetch?",
      content: { text: "url: https://example.org/" },
    });
    expect(other.choices).toHaveLength(3);
    await agent.adapter.injectReply(replyTo(other, "2"), granted);
  });

  it("raises two requests at once as two prompts, and a No to one says that it ends the other", async () => {
    const agent = await started();
    const first = agent.adapter.prompt("both touch");
    const [one, two] = [await agent.raised(), await agent.raised()];
    expect([one, two].map(({ content }) => content.text.split("\n")[0])).toEqual(["touch 1", "touch 2"]);
    await agent.adapter.injectReply(replyTo(two, "1"), granted);
    await agent.adapter.injectReply(replyTo(one, "3"), granted);
    expect(await first).toMatchObject({ callsDone: 1, denials: 1 });
    const second = agent.adapter.prompt("both touch");
    const [three, four] = [await agent.raised(), await agent.raised()];
    await agent.adapter.injectReply(replyTo(four, "3"), granted);
    expect(await agent.next("withdrawn")).toMatchObject({ promptId: three.promptId, reason: "taken_back" });
    expect(await second).toMatchObject({ stopReason: "end_turn", callsDone: 0 });
    expect(agent.shown()).not.toContain("Another program");
  });

  it("raises several questions at once with their options and free text, which can be declined", async () => {
    const agent = await started();
    expect(await answered(agent, "question", "2")).toEqual({ answers: [["blue"]] });
    expect(await answered(agent, "question", "3", "green")).toEqual({ answers: [["green"]] });
    expect(await answered(agent, "question", "4")).toEqual({ reject: true });
    expect(await answered(agent, "question", "4", "ask later")).toEqual({ answers: [["ask later"]] });
    const form = JSON.stringify({ Colour: "red", More: ["red", "blue"] });
    expect(await answered(agent, "several", form)).toEqual({ answers: [["red"], ["red", "blue"]] });
  });

  it("offers no free text where it would count as a Yes, and raises nothing that cannot be shown", async () => {
    const agent = await started();
    const turn = agent.adapter.prompt("closed");
    const event = await agent.raised();
    expect(event.choices.map(({ label }) => label)).toEqual(["red", "blue", "Decline to answer"]);
    await agent.adapter.injectReply(replyTo(event, "1"), granted);
    await turn;
    expect(lastNoted(agent)).toEqual({ answers: [["red"]] });
    await agent.adapter.prompt("unknown");
    expect(lastNoted(agent)).toEqual({ reject: true });
    expect((await agent.adapter.snapshotContext()).promptCount).toBe(1);
  });

  it("can be stopped: its prompt is withdrawn, its turn ends once, and it takes another task", async () => {
    const agent = await started();
    const turn = agent.adapter.prompt("run sleep");
    await agent.raised();
    agent.adapter.cancel();
    expect(await turn).toMatchObject({ stopReason: "cancelled", problem: null });
    expect(await agent.next("withdrawn")).toMatchObject({ reason: "cancelled" });
    expect(await agent.adapter.prompt("say hello")).toMatchObject({ stopReason: "end_turn", words: "hello" });
  });

  it("is stopped when another program answers its request", async () => {
    const agent = await started();
    expect(await agent.adapter.prompt("forged touch a")).toMatchObject({ stopReason: "cancelled" });
    expect(await agent.next("withdrawn")).toMatchObject({ reason: "answered_elsewhere" });
    expect(agent.shown()).toContain("Another program answered what it wanted to do");
  });

  it("never shows its password, though its commands inherit it", async () => {
    const agent = await started();
    const { words } = await agent.adapter.prompt("secret");
    expect(words).toBe("the password is *****");
  });

  it("reports a turn that failed, the cost, and its own end in the middle of a turn", async () => {
    const agent = await started();
    expect(await agent.adapter.prompt("fail")).toMatchObject({ problem: "the model is out" });
    expect(await agent.adapter.prompt("cost 0.25")).toMatchObject({ costUsd: 0.25 });
    expect(await agent.adapter.prompt("die")).toMatchObject({ problem: "the tool ended", stopReason: null });
  });

  it("continues a session by its id, and reports only the new cost", async () => {
    const agent = await started({ resume: "ses_7" });
    expect(agent.adapter.toolSession).toBe("ses_1");
    expect(agent.noted().some((line) => line.startsWith("session "))).toBe(false);
    expect(await agent.adapter.prompt("cost 0.75")).toMatchObject({ costUsd: 0.25 });
  });

  it("ends at once when there is nothing more to do", async () => {
    const agent = await started();
    await agent.adapter.prompt("say hello");
    const exit = await agent.adapter.finish();
    expect(exit.signalName).toBe("SIGTERM");
    expect(agent.shown()).not.toContain("broke");
  });

  it("refuses requests where nobody can be asked", async () => {
    const agent = await started({ isAttended: false });
    await agent.adapter.prompt("run touch a");
    expect(lastNoted(agent)).toEqual({ reply: "reject", message: "The user said no." });
    await agent.adapter.prompt("question");
    expect(lastNoted(agent)).toEqual({ reject: true });
  });

  it("is not used when it takes no password, or has no such session", async () => {
    for (const options of [{ mode: "open" }, { resume: "ses_none" }]) {
      const failed = started(options);
      await expect(failed).rejects.toThrow(AtlasBridgeError);
      await expect(failed).rejects.toMatchObject({ code: "ATB_TOOL_START_FAILED" });
    }
  });
});
