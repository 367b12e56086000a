/**
 * `exec` drives a tool that speaks lines of JSON: it raises whole calls, sends Yes, No with a reason or a lasting Yes as tapped,
 * and withdraws open prompts when the tool is stopped or ends. Lines of five million characters are read.
 */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../../src/observe/clock.js";
import { DELIVERY_KNOWN_WITHIN_MS } from "../../../../../src/worker/prompts/confirm-delivery.js";
import { CANCEL_WITHIN_MS } from "../../../../../src/worker/prompts/limits.js";
import type { SessionReport } from "../../../../../src/worker/runtimes/exec/session-report.js";
import { granted, replyTo } from "../../../../support/acp-agent.js";
import { headlessAgents, lastNoted } from "../../../../support/headless-agent.js";
import { waitFor } from "../../../../support/wait-for.js";

/** A machine that is busy with other things. */
const started = headlessAgents("claude");

describe("a tool that speaks lines of JSON", () => {
  it("raises prompts with the whole input of a call, and with its lasting choices", async () => {
    const agent = await started();
    void agent.adapter.prompt("run rm -r build");
    const event = await agent.raised();
    expect(event).toMatchObject({ promptType: "multiple_choice", safetyClass: "permission", score: 1 });
    expect(event.content.text).toBe("rm -r build");
    expect(event.content.call).toMatchObject({ tool: "Bash", input: { command: "rm -r build" } });
    expect(event.choices.map(({ intent }) => intent)).toEqual(["allow_once", "allow_always", "reject_once"]);
    expect(event.sources).toEqual([{ kind: "protocol", name: "can_use_tool" }]);
  });

  it("gets a yes with the input that it is about, and the turn's facts are reported", async () => {
    const agent = await started();
    const turn = agent.adapter.prompt("run touch a");
    const result = await agent.adapter.injectReply(replyTo(await agent.raised(), "1"), granted);
    expect(result).toMatchObject({ receipt: { outcome: "answered", proof: "read", route: "protocol" } });
    expect(await turn).toEqual({
      stopReason: "end_turn",
      problem: null,
      costUsd: 0.5,
      words: "",
      callsDone: 1,
      denials: 0,
      refused: 0,
    });
    expect(lastNoted(agent)).toEqual({ behavior: "allow", updatedInput: { command: "touch a" } });
  });

  it("reports an answer that is given here once", async () => {
    const told: string[] = [];
    const agent = await started({ onReport: ({ type }) => told.push(type) });
    const turn = agent.adapter.prompt("run touch a");
    expect(agent.adapter.answerHere((await agent.raised()).promptId, "1")).toBeNull();
    await turn;
    expect(told.filter((type) => type !== "activity")).toEqual(["asked", "answered"]);
  });

  it("that is stopped is not reported to have read the decision", async () => {
    const clock = new ManualClock();
    const reports: SessionReport[] = [];
    const agent = await started({ clock, onReport: (report) => reports.push(report) });
    void agent.adapter.prompt("run touch a");
    const event = await agent.raised();
    const { pid } = await agent.adapter.snapshotContext();
    process.kill(pid ?? 0, "SIGSTOP");
    const put = agent.adapter.injectReply(replyTo(event, "1"), granted);
    await waitFor(() => expect(reports.at(-1)).toMatchObject({ type: "answered" }));
    const unproved = waitFor(() => {
      clock.advance(DELIVERY_KNOWN_WITHIN_MS);
      expect(reports.at(-1)).toMatchObject({ type: "receipt", receipt: { outcome: "uncertain" } });
    });
    await Promise.all([put, unproved]);
    process.kill(pid ?? 0, "SIGCONT");
  });

  it("gets a no with its reason, and goes on", async () => {
    const agent = await started();
    const turn = agent.adapter.prompt("run touch a");
    await agent.adapter.injectReply({ ...replyTo(await agent.raised(), "3"), text: "not there" }, granted);
    expect(await turn).toMatchObject({ problem: null, callsDone: 0, denials: 1 });
    expect(lastNoted(agent)).toEqual({ behavior: "deny", message: "not there" });
  });

  it("gets a lasting yes only where that was tapped", async () => {
    const agent = await started();
    void agent.adapter.prompt("run touch a");
    await agent.adapter.injectReply(replyTo(await agent.raised(), "2"), granted);
    await waitFor(() =>
      expect(lastNoted(agent)).toMatchObject({
        behavior: "allow",
        updatedPermissions: [{ type: "addRules", rules: [{ toolName: "Bash", ruleContent: "touch a" }] }],
      }),
    );
  });

  it("raises two requests at once as two prompts, and each answer reaches its own", async () => {
    const agent = await started();
    const turn = agent.adapter.prompt("two");
    const events = [await agent.raised(), await agent.raised()];
    const second = events.find(({ content }) => content.text === "second");
    const first = events.find(({ content }) => content.text === "first");
    if (!first || !second) throw new Error("they were not told apart");
    await agent.adapter.injectReply(replyTo(second, "3"), granted);
    await agent.adapter.injectReply(replyTo(first, "1"), granted);
    await turn;
    const answers = agent
      .noted()
      .slice(-2)
      .map((line) => (JSON.parse(line) as { behavior: string }).behavior);
    expect(answers).toEqual(["deny", "allow"]);
  });

  it("raises questions and plans as such", async () => {
    const agent = await started();
    const asked = agent.adapter.prompt("question");
    const question = await agent.raised();
    expect(question).toMatchObject({ excerpt: "Which colour?", safetyClass: "question" });
    await agent.adapter.injectReply(replyTo(question, "2"), granted);
    await asked;
    expect(lastNoted(agent)).toMatchObject({ updatedInput: { answers: { "Which colour?": "blue" } } });
    void agent.adapter.prompt("plan");
    const plan = await agent.raised();
    expect(plan.safetyClass).toBe("plan");
    expect(plan.content.text).toContain("# The plan");
  });

  it("can be stopped: its prompts are withdrawn, and its turn ends as cancelled", async () => {
    const agent = await started();
    const turn = agent.adapter.prompt("run sleep");
    await agent.raised();
    agent.adapter.cancel();
    expect(await turn).toMatchObject({ stopReason: "cancelled", problem: null });
    expect(await agent.next("withdrawn")).toMatchObject({ reason: "cancelled" });
    expect(agent.noted()).toContain("interrupt");
  });

  it("can withdraw its own prompt", async () => {
    const agent = await started();
    void agent.adapter.prompt("take-back");
    const event = await agent.raised();
    expect(await agent.next("withdrawn")).toMatchObject({ promptId: event.promptId, reason: "taken_back" });
  });

  it("may write five million characters in one line, and ask about as many", async () => {
    const agent = await started();
    await agent.adapter.prompt("big 5000000");
    await waitFor(() => expect(agent.shown().length).toBeGreaterThan(4_999_999));
    void agent.adapter.prompt("big-call 5000000");
    const { content } = await agent.raised();
    expect(content.cut?.missing).toMatch(/^\d{7} more characters$/);
  });

  it("ends in the middle of a turn: the turn fails, and its questions with it", async () => {
    const agent = await started();
    const turn = agent.adapter.prompt("die");
    expect(await turn).toMatchObject({ stopReason: null, problem: "the tool ended" });
    expect(await agent.adapter.exited).toMatchObject({ exitCode: 7 });
    expect(agent.adapter.stderrTail).toBe("out of memory");
    expect(await agent.adapter.prompt("say more")).toMatchObject({ problem: "the tool ended" });
  });

  it("is stopped when it is silent for too long, but not while a person thinks", async () => {
    const clock = new ManualClock();
    const agent = await started({ silenceMs: 1000, clock });
    const thinking = agent.adapter.prompt("run ls");
    const event = await agent.raised();
    for (let seconds = 0; seconds < 10; seconds += 1) clock.advance(1000);
    await agent.adapter.injectReply(replyTo(event, "1"), granted);
    expect(await thinking).toMatchObject({ stopReason: "end_turn" });
    expect(agent.noted()).not.toContain("interrupt");
    const hung = agent.adapter.prompt("hang");
    await waitFor(() => expect(agent.noted()).toContain("task hang"));
    clock.advance(1000);
    await waitFor(() => expect(agent.noted()).toContain("interrupt"));
    // It does not stop, so it is ended.
    clock.advance(CANCEL_WITHIN_MS);
    const problem = "Cancelled by AtlasBridge: silent for 1 s (exec.timeout); then: the tool ended";
    expect(await hung).toMatchObject({ problem });
  });

  it("has every question refused where nobody can answer", async () => {
    const reports: SessionReport[] = [];
    const agent = await started({ isAttended: false, onReport: (report) => reports.push(report) });
    expect(await agent.adapter.prompt("run rm -r /")).toMatchObject({ denials: 1, callsDone: 0 });
    expect(lastNoted(agent)).toMatchObject({ behavior: "deny" });
    expect(reports).toContainEqual({ type: "refused", question: "Run this command?", why: "unattended" });
  });

  it("is given context in its greeting, and never on its command line", async () => {
    const agent = await started({ context: "be brief" });
    expect(agent.noted()[0]).toBe('initialize {"appendSystemPrompt":"be brief"}');
  });

  it("reports its session's id, and gets the id of the session to continue", async () => {
    const fresh = await started();
    await fresh.adapter.prompt("say x");
    expect(fresh.adapter.toolSession).toBe("session-1");
    const resumed = await started({ resume: "abc-7" });
    await resumed.adapter.prompt("env");
    await waitFor(() => expect(resumed.shown()).toContain("marked --resume abc-7"));
    expect(resumed.adapter.toolSession).toBe("abc-7");
  });

  it("reports a turn that failed in its own words", async () => {
    const agent = await started();
    expect(await agent.adapter.prompt("fail no money")).toMatchObject({
      problem: "no money",
      stopReason: "end_turn",
    });
    await waitFor(() => expect(agent.shown()).toContain("The turn failed: no money"));
  });
});
