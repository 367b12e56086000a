/**
 * A session speaks version 1 or 2 with an agent, as that agent answers. Its prompts are answered with the offered ids, by a
 * person or by a permission mode that is on record first, and each end of a turn or of the agent withdraws them.
 */
import { afterEach, describe, expect, it, vi } from "vitest";
import { ManualClock } from "../../../../../src/observe/clock.js";
import { CANCEL_WITHIN_MS } from "../../../../../src/worker/prompts/limits.js";
import {
  granted,
  replyTo,
  rawAgent,
  scriptedAgent,
  type AgentOptions,
  type OpenAgent,
} from "../../../../support/acp-agent.js";
import { waitFor } from "../../../../support/wait-for.js";

const open: OpenAgent[] = [];

async function started(mode?: string, options?: AgentOptions): Promise<OpenAgent> {
  const agent = scriptedAgent(mode, options);
  open.push(agent);
  await agent.adapter.ready;
  return agent;
}

afterEach(async () => {
  for (const agent of open.splice(0)) await agent.dispose();
});

describe("a turn of an agent", () => {
  it("begins with an offer of both versions and only of what we support", async () => {
    const { noted } = await started();
    const [greeting = ""] = noted();
    expect(JSON.parse(greeting.replace("initialize ", ""))).toMatchObject({
      protocolVersion: 2,
      clientInfo: { name: "atlasbridge" },
      clientCapabilities: { elicitation: { form: {}, url: {} } },
    });
    expect(greeting).not.toContain('readTextFile":true');
  });

  it("shows what the agent says, and reports it once the agent is idle", async () => {
    const { adapter, shown, next } = await started();
    expect(await adapter.prompt("say The answer is 42.")).toEqual({ stopReason: "end_turn", problem: null });
    let last = await next("state");
    while (last?.kind === "state" && last.said === undefined) last = await next("state");
    expect(last).toEqual({ kind: "state", state: "idle", said: "The answer is 42." });
    await waitFor(() => expect(shown()).toContain("The answer is 42."));
  });

  it("asks with what was offered, and answers with the id that was offered", async () => {
    const { adapter, raised, noted } = await started();
    const turn = adapter.prompt("ask rm -r build");
    const event = await raised();
    expect(event).toMatchObject({
      promptType: "multiple_choice",
      safetyClass: "permission",
      excerpt: "run rm -r build",
      score: 1,
      sources: [{ kind: "protocol", name: "session/request_permission" }],
      choices: [
        { label: "Always allow", intent: "allow_always" },
        { label: "Allow", intent: "allow_once" },
        { label: "Reject", intent: "reject_once" },
      ],
      content: { cut: null, call: { tool: "execute", input: { command: "rm -r build" } } },
    });
    expect(await adapter.injectReply(replyTo(event, "3"), granted)).toMatchObject({
      kind: "receipt",
      receipt: { outcome: "answered", route: "protocol" },
    });
    expect(await turn).toMatchObject({ stopReason: "end_turn" });
    expect(noted().at(-1)).toBe('{"outcome":{"outcome":"selected","optionId":"opt-no"}}');
  });

  it("answers what its mode covers, after that is on record, and says so", async () => {
    const record = vi.fn(() => Promise.resolve());
    const policy = { mode: "auto_approve", allowlist: [] } as const;
    const { adapter, noted, shown } = await started("tasks", { permissions: { policy, record } });
    await adapter.prompt("ask rm -r build");
    expect(noted().at(-1)).toBe('{"outcome":{"outcome":"selected","optionId":"opt-once"}}');
    expect(shown()).toContain("✓ allowed automatically (auto_approve): run rm -r build");
    const decision = { mode: "auto_approve", rule: "auto_approve", allowed: true };
    expect(record).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(decision), expect.anything());
    expect(await adapter.snapshotContext()).toMatchObject({ promptCount: 0, answeredUnasked: [decision] });
  });

  it.each(["deny_all", "auto_approve"] as const)(
    "refuses what the mode %s covers where no hub can put it on record, and raises no prompt",
    async (mode) => {
      const policy = { mode, allowlist: [] };
      const record = () => Promise.reject(new Error("no hub"));
      const { adapter, noted } = await started("tasks", { permissions: { policy, record } });
      await adapter.prompt("ask rm -r build");
      expect(noted().at(-1)).toContain("opt-no");
      expect(await adapter.snapshotContext()).toMatchObject({
        promptCount: 0,
        answeredUnasked: [{ mode, allowed: false }],
      });
    },
  );

  it("refuses requests from before and after it is known that nobody can answer", async () => {
    const { adapter, raised, noted } = await started();
    const turn = adapter.prompt("ask-two");
    await raised();
    await raised();
    adapter.setAttended(false);
    await turn;
    expect(noted().at(-1)).toBe('["opt-no","opt-no"]');
    await adapter.prompt("ask rm -r build");
    expect(noted().at(-1)).toContain("opt-no");
  });

  it("raises two requests at once as two prompts, and never answers both with one answer", async () => {
    const { adapter, raised, noted } = await started();
    const turn = adapter.prompt("ask-two");
    const [first, second] = [await raised(), await raised()];
    expect(first.idempotencyKey).not.toBe(second.idempotencyKey);
    await adapter.injectReply(replyTo(second, "3"), granted);
    expect(adapter.currentPrompt?.promptId).toBe(first.promptId);
    await adapter.injectReply(replyTo(first, "2"), granted);
    await turn;
    expect(noted().at(-1)).toBe('["opt-once","opt-no"]');
  });

  it("shows the whole change that is to be judged", async () => {
    const { adapter, raised, shown } = await started();
    const turn = adapter.prompt("edit");
    const event = await raised();
    expect(event.content.text).toContain("/src/a.ts\n one\n-two\n+2");
    expect(adapter.answerHere(event.promptId, "2")).toBeNull();
    await turn;
    await waitFor(() => expect(shown()).toContain("→ Allow"));
    expect(shown()).toMatch(/● run edit-1[^]*-two\n[^]*\+2\n[^]*1\. Always allow\n[^]*→ Allow/);
  });

  it("answers every request that waits with `cancelled` when the turn is cancelled", async () => {
    const { adapter, raised, noted, next } = await started();
    const turn = adapter.prompt("ask-and-wait");
    await raised();
    await raised();
    adapter.cancel();
    expect(await turn).toMatchObject({ stopReason: "cancelled" });
    expect(await next("withdrawn")).toMatchObject({ reason: "cancelled" });
    expect(noted().at(-1)).toBe('[{"outcome":{"outcome":"cancelled"}},{"outcome":{"outcome":"cancelled"}}]');
    expect(adapter.currentPrompt).toBeNull();
  });

  it("withdraws a question that the agent takes back", async () => {
    const { adapter, raised, next, noted } = await started();
    const turn = adapter.prompt("take-back");
    const event = await raised();
    expect(await next("withdrawn")).toEqual({
      kind: "withdrawn",
      promptId: event.promptId,
      reason: "taken_back",
    });
    await turn;
    expect(await adapter.injectReply(replyTo(event, "2"), granted)).toMatchObject({
      kind: "refused",
      rejection: { code: "withdrawn" },
    });
    expect(noted().at(-1)).not.toContain("selected");
  });

  it("asks again while the agent still waits, under another key", async () => {
    const { adapter, raised, next, noted } = await started();
    const turn = adapter.prompt("ask ls");
    const event = await raised();
    expect(adapter.remoteControls.askAgain(event.promptId, event.fingerprint)).toBe("anew");
    expect(await next("withdrawn")).toMatchObject({ promptId: event.promptId, reason: "superseded" });
    const again = await raised();
    expect(again.idempotencyKey).not.toBe(event.idempotencyKey);
    expect(adapter.remoteControls.askAgain(event.promptId, event.fingerprint)).toBe("already");
    await adapter.injectReply(replyTo(again, "2"), granted);
    await turn;
    expect(adapter.remoteControls.askAgain(again.promptId, again.fingerprint)).toBe("gone");
    expect(noted().at(-1)).toContain("opt-once");
  });

  it("sends no answer when the prompt ended while its answer was recorded", async () => {
    const { adapter, raised } = await started();
    const turn = adapter.prompt("ask-and-wait");
    const event = await raised();
    const result = await adapter.injectReply(replyTo(event, "1"), () => {
      adapter.cancel();
      return Promise.resolve();
    });
    expect(result).toMatchObject({ receipt: { outcome: "failed", bytesWritten: 0 } });
    await turn;
  });

  it("raises a form of one field as a prompt", async () => {
    const { adapter, raised, noted } = await started();
    const turn = adapter.prompt("form");
    const event = await raised();
    expect(event).toMatchObject({ safetyClass: "question", excerpt: "Which colour?" });
    expect(event.choices.map(({ label }) => label)).toEqual(["red", "blue", "Decline to answer"]);
    await adapter.injectReply(replyTo(event, "2"), granted);
    await turn;
    expect(noted().at(-1)).toBe('{"action":"accept","content":{"colour":"blue"}}');
  });

  it("takes a line of five megabytes", async () => {
    const { adapter, next } = await started();
    expect(await adapter.prompt(`big ${5 * 1024 * 1024}`)).toEqual({ stopReason: "end_turn", problem: null });
    let last = await next("state");
    while (last?.kind === "state" && last.said === undefined) last = await next("state");
    expect(last).toMatchObject({ state: "idle" });
  });

  it("shows what the agent says of a turn that fails, and goes on", async () => {
    const { adapter, shown } = await started();
    expect((await adapter.prompt("fail")).problem).toContain("the model is out");
    await waitFor(() => expect(shown()).toContain("the model is out"));
    expect(await adapter.prompt("say again")).toMatchObject({ stopReason: "end_turn" });
  });

  it("withdraws all prompts when the agent dies, and says how it ended", async () => {
    const { adapter, raised, next } = await started();
    void adapter.prompt("ask-and-wait");
    const event = await raised();
    process.kill((await adapter.snapshotContext()).pid ?? 0, "SIGKILL");
    expect(await next("withdrawn")).toMatchObject({ promptId: event.promptId, reason: "session_ended" });
    expect(await adapter.exited).toMatchObject({ signalName: "SIGKILL" });
    expect(await adapter.injectReply(replyTo(event, "1"), granted)).toMatchObject({ kind: "refused" });
  });

  it("ends a turn whose agent crashed", async () => {
    const { adapter } = await started();
    expect((await adapter.prompt("die")).problem).not.toBeNull();
    expect(await adapter.exited).toMatchObject({ exitCode: 7 });
  });

  it("cancels the turn of a silent agent, and ends an agent that does not stop", async () => {
    const clock = new ManualClock();
    const { adapter } = await started("tasks", { clock, silenceMs: 1000 });
    const turn = adapter.prompt("hang");
    clock.advance(1000);
    expect(await adapter.snapshotContext()).toMatchObject({ ptyAlive: true });
    clock.advance(CANCEL_WITHIN_MS);
    expect((await turn).problem).not.toBeNull();
    expect(await adapter.exited).toMatchObject({ exitCode: null });
  });

  it.each([
    ["a time limit", "Cancelled by AtlasBridge: silent for 1 s (adapters.acp.timeout)"],
    ["a person", null],
  ])("calls a turn that %s cancelled so, also where the agent calls it done", async (by, problem) => {
    const clock = new ManualClock();
    const answer = (id: unknown, result: object) => ({ jsonrpc: "2.0", id, result });
    const agent = rawAgent(
      {
        initialize: [answer("$ID", { protocolVersion: 1 })],
        "session/new": [answer("$ID", { sessionId: "s" })],
        // The third request is the task.
        "session/cancel": [answer(2, { stopReason: "end_turn" })],
      },
      { clock, silenceMs: 1000 },
    );
    open.push(agent);
    await agent.adapter.ready;
    const turn = agent.adapter.prompt("go");
    await waitFor(() => expect(agent.noted().at(-1)).toContain("session/prompt"));
    if (by === "a person") agent.adapter.cancel();
    else clock.advance(1000);
    expect(await turn).toEqual({ stopReason: "cancelled", problem });
    await waitFor(() => expect(agent.shown()).toContain(problem ?? "Cancelled."));
  });

  it("waits for a person without a limit", async () => {
    const clock = new ManualClock();
    const { adapter, raised } = await started("tasks", { clock, silenceMs: 1000 });
    const turn = adapter.prompt("ask ls");
    const event = await raised();
    clock.advance(3_600_000);
    expect(adapter.answerHere(event.promptId, "2")).toBeNull();
    expect(await turn).toMatchObject({ stopReason: "end_turn" });
  });

  it("lets a person sign in where the agent wants that", async () => {
    const agent = scriptedAgent("wants-sign-in");
    open.push(agent);
    const event = await agent.raised();
    expect(event).toMatchObject({
      safetyClass: "login",
      choices: [{ label: "API key" }, { intent: "reject_once" }],
    });
    expect(agent.adapter.answerHere(event.promptId, "1")).toBeNull();
    await agent.adapter.ready;
    expect(await agent.adapter.prompt("say hello")).toMatchObject({ stopReason: "end_turn" });
  });

  it("shows the agent's message when nobody signs in", async () => {
    const agent = scriptedAgent("wants-sign-in");
    open.push(agent);
    const event = await agent.raised();
    agent.adapter.answerHere(event.promptId, "2");
    await expect(agent.adapter.ready).rejects.toMatchObject({ code: "ATB_TOOL_START_FAILED" });
  });
});
