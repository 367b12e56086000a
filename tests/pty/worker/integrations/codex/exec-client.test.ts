/**
 * `exec` drives codex through its app server: it offers the server's own decisions, sends a reason for a No, shows edits with
 * their changes, and never asks for a secret.
 */
import { describe, expect, it } from "vitest";
import { granted, replyTo } from "../../../../support/acp-agent.js";
import { headlessAgents, lastNoted } from "../../../../support/headless-agent.js";
import { waitFor } from "../../../../support/wait-for.js";

const started = headlessAgents("codex");

describe("a tool that is a server of threads", () => {
  it("is started in the mode that asks people, with its context", async () => {
    const agent = await started({ context: "be brief" });
    const thread = agent.noted().find((line) => line.startsWith("thread ")) ?? "";
    expect(JSON.parse(thread.slice(7))).toEqual({
      cwd: agent.folder,
      approvalPolicy: "on-request",
      approvalsReviewer: "user",
      sandbox: "workspace-write",
      developerInstructions: "be brief",
    });
  });

  it("raises prompts with the decisions that it offers, and always with a No", async () => {
    const agent = await started();
    const turn = agent.adapter.prompt("run touch a");
    const event = await agent.raised();
    expect(event.content.text).toBe("touch a\ncwd: /srv/api");
    expect(event.choices.map(({ label, intent }) => [label, intent])).toEqual([
      ["Yes", "allow_once"],
      ["Yes, and don't ask again for commands that start with touch", "allow_always"],
      ["No", "reject_once"],
      ["No, and stop the turn", "reject_once"],
    ]);
    await agent.adapter.injectReply(replyTo(event, "2"), granted);
    expect(await turn).toMatchObject({ problem: null, callsDone: 1 });
    expect(lastNoted(agent)).toEqual({
      decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch"] } },
    });
  });

  it("gets the reason of a No as a message of its own, as its protocol has no place for it", async () => {
    const agent = await started();
    void agent.adapter.prompt("run touch a");
    await agent.adapter.injectReply({ ...replyTo(await agent.raised(), "3"), text: "not there" }, granted);
    // The answer is sent first, but where both come in one read the agent notes it after the reason.
    const noted = expect.arrayContaining(["steer not there", '{"decision":"decline"}']) as string[];
    await waitFor(() => expect(agent.noted()).toEqual(noted));
  });

  it("shows an edit with its changes, and says when they were not sent", async () => {
    const agent = await started();
    const turn = agent.adapter.prompt("edit /srv/a.ts");
    const event = await agent.raised();
    expect(event.content).toMatchObject({ text: "/srv/a.ts (add)\n+new", cut: null });
    await agent.adapter.injectReply(replyTo(event, "1"), granted);
    await turn;
    void agent.adapter.prompt("edit");
    expect((await agent.raised()).content.cut).toEqual({ missing: "the changes" });
  });

  it("raises questions with their options and free text, but never for a secret", async () => {
    const agent = await started();
    const turn = agent.adapter.prompt("question");
    const event = await agent.raised();
    expect(event).toMatchObject({ excerpt: "Which colour?", safetyClass: "question" });
    await agent.adapter.injectReply(replyTo(event, "2"), granted);
    await turn;
    expect(lastNoted(agent)).toEqual({ answers: { q1: { answers: ["blue"] } } });
    for (const task of ["secret", "unknown"]) {
      await agent.adapter.prompt(task);
      expect(lastNoted(agent)).toEqual({ error: "AtlasBridge cannot show this request" });
    }
    expect((await agent.adapter.snapshotContext()).promptCount).toBe(1);
  });

  it("can be stopped: its prompt is withdrawn, and its turn ends as cancelled", async () => {
    const agent = await started();
    const turn = agent.adapter.prompt("run sleep");
    await agent.raised();
    agent.adapter.cancel();
    expect(await turn).toMatchObject({ stopReason: "cancelled", problem: null });
    expect(await agent.next("withdrawn")).toMatchObject({ reason: "cancelled" });
  });

  it("reports a turn that failed, and its own end in the middle of a turn", async () => {
    const agent = await started();
    expect(await agent.adapter.prompt("fail")).toMatchObject({ problem: "the model is out" });
    expect(await agent.adapter.prompt("die")).toMatchObject({ problem: "the tool ended", stopReason: null });
  });

  it("continues a thread by its id", async () => {
    const agent = await started({ resume: "thread-7" });
    expect(agent.adapter.toolSession).toBe("thread-7");
  });
});
