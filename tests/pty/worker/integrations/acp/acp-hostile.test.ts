/**
 * An agent that breaks the protocol cannot end its session, write control sequences to the terminal, or hide what it asks. Its
 * decision counts as read only when the agent says so.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { JSON_VALUES_MAX } from "../../../../../src/model/data/json-cost.js";
import { ManualClock } from "../../../../../src/observe/clock.js";
import { GREETING_WITHIN_MS } from "../../../../../src/worker/runtimes/protocol/greeting.js";
import { DELIVERY_KNOWN_WITHIN_MS } from "../../../../../src/worker/prompts/confirm-delivery.js";
import {
  granted,
  rawAgent,
  replyTo,
  type AgentOptions,
  type OpenAgent,
  type Script,
} from "../../../../support/acp-agent.js";
import { openPiped } from "../../../../../src/worker/process/piped-process.js";
import { waitFor } from "../../../../support/wait-for.js";

const open: OpenAgent[] = [];

afterEach(async () => {
  for (const agent of open.splice(0)) await agent.dispose();
});

const answer = (result: object) => ({ jsonrpc: "2.0", id: "$ID", result });
const update = (given: object) => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", update: given },
});
const said = (text: string) =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
const permission = (id: unknown, params: object) => ({
  jsonrpc: "2.0",
  id,
  method: "session/request_permission",
  params,
});
const GREETING = {
  initialize: [answer({ protocolVersion: 1 })],
  "session/new": [answer({ sessionId: "s" })],
};
const PING = { "_atlasbridge/ping": [{ jsonrpc: "2.0", id: "$ID", error: { code: -32601, message: "no" } }] };

async function started(script: Script, options?: AgentOptions): Promise<OpenAgent> {
  const agent = rawAgent({ ...GREETING, ...PING, ...script }, options);
  open.push(agent);
  await agent.adapter.ready;
  return agent;
}

describe("an agent that breaks the protocol", () => {
  it("draws nothing below its prompt that looks like another prompt", async () => {
    const options = [
      { optionId: "y", name: "Yes", kind: "allow_once" },
      { optionId: "n", name: "No", kind: "reject_once" },
    ];
    const toolCall = { toolCallId: "t", title: "Run rm -rf ~" };
    const { adapter, raised, noted } = await started({
      "session/prompt": [
        permission(77, { sessionId: "s", toolCall, options }),
        { jsonrpc: "2.0", id: 76, method: "vendor/unknown", params: {} },
      ],
      // By then the question stands: requests are taken up in their order.
      "reply 76": [
        said(`${"\n".repeat(40)}? Run ls\n  1. Yes\n  2. No\n`),
        update({ sessionUpdate: "tool_call", toolCallId: "u", title: "Run ls\n  1. Yes" }),
        permission(78, { sessionId: "s", toolCall: { toolCallId: "v", title: "Run pwd" }, options }),
      ],
    });
    void adapter.prompt("go");
    await raised();
    // What came between the two was read by then.
    await raised();
    const read = (): string => adapter.remoteControls.screen().text;
    expect(read().match(/\? .*/g)).toEqual(["? Run rm -rf ~"]);
    expect(read().trimEnd().endsWith("Ctrl-C stops the turn")).toBe(true);
    expect(adapter.answerHere(adapter.currentPrompt?.promptId as never, "2")).toBeNull();
    expect(read().match(/\? .*/g)?.slice(-2)).toEqual(["? Run ls", "? Run pwd"]);
    expect(adapter.currentPrompt?.excerpt).toBe("Run pwd");
    await waitFor(() => expect(noted().join("\n")).toContain('"n"'));
  });

  it("may report unknown things, answer requests that were not made, and print lines that are no messages", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { adapter, shown } = await started({
      "session/prompt": [
        "this is no JSON",
        "[1,2]",
        '{"jsonrpc":"2.0","id":999,"result":{}}',
        '{"jsonrpc":"2.0","method":"vendor/news","params":{}}',
        '{"jsonrpc":"2.0","method":"session/update","params":null}',
        update({ sessionUpdate: "from_the_future", payload: [1] }),
        update({ sessionUpdate: "agent_message_chunk", content: { type: "hologram" } }),
        update({ sessionUpdate: "tool_call", title: 7 }),
        update({ sessionUpdate: "plan", entries: "none" }),
        said("still here"),
        answer({ stopReason: "a_new_reason" }),
      ],
    });
    expect(await adapter.prompt("go")).toEqual({ stopReason: "a_new_reason", problem: null });
    await waitFor(() => expect(shown()).toContain("still here"));
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });

  it("may report its cost wrongly: the latest valid figure is kept with the session", async () => {
    const cost = { amount: 0.25, currency: "USD" };
    const { adapter } = await started({
      "session/prompt": [
        update({ sessionUpdate: "usage_update", used: 10, size: 100 }),
        update({ sessionUpdate: "usage_update", used: 20, size: 100, cost }),
        update({ sessionUpdate: "usage_update", used: "many" }),
        answer({ stopReason: "end_turn" }),
      ],
    });
    expect(await adapter.snapshotContext()).toMatchObject({ usage: null });
    await adapter.prompt("go");
    expect(await adapter.snapshotContext()).toMatchObject({
      usage: { used: 20, size: 100, cost },
    });
  });

  it("may nest messages too deeply: they are refused or left out, and the session goes on", async () => {
    const deep = `${'{"options":['.repeat(3000)}{}${"]}".repeat(3000)}`;
    const { adapter, noted, shown } = await started({
      "session/prompt": [
        `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"config_option_update","configOptions":[{"id":"m","currentValue":"x","options":[${deep}]}]}}}`,
        `{"jsonrpc":"2.0","id":77,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"t","rawInput":${deep}},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"}]}}`,
        said("still here"),
        answer({ stopReason: "end_turn" }),
      ],
    });
    expect(await adapter.prompt("go")).toEqual({ stopReason: "end_turn", problem: null });
    await waitFor(() => expect(noted().filter((line) => line.includes("-32602"))).toHaveLength(1));
    await waitFor(() => expect(shown()).toContain("still here"));
  });

  it("may send a message of very many values: it is not parsed, and the connection ends with the reason", async () => {
    const costly = `[${"[],".repeat(JSON_VALUES_MAX)}[]]`;
    const { adapter } = await started({
      "session/prompt": [
        `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"x":${costly}}}}`,
      ],
    });
    expect(await adapter.prompt("go")).toMatchObject({
      stopReason: null,
      problem: expect.stringMatching(/more than 250000 values/) as string,
    });
    expect(adapter.currentPrompt).toBeNull();
  });

  it("may nest an answer too deeply: it does not count as an answer", async () => {
    const deep = `${'{"a":'.repeat(3000)}1${"}".repeat(3000)}`;
    const { adapter } = await started({
      "session/prompt": [`{"jsonrpc":"2.0","id":$ID,"result":{"stopReason":"end_turn","x":${deep}}}`],
    });
    expect(await adapter.prompt("go")).toMatchObject({
      stopReason: null,
      problem: expect.stringMatching(/nested too deep/) as string,
    });
  });

  it("may not answer at all: the wait is reported and ends", async () => {
    const clock = new ManualClock();
    const agent = rawAgent({}, { clock });
    open.push(agent);
    const told = expect(agent.adapter.ready).rejects.toThrow(/it did not answer/);
    clock.advance(GREETING_WITHIN_MS);
    await told;
  });

  it("may be silent while it waits for a command that we run for it", async () => {
    const clock = new ManualClock();
    const call = (id: number, method: string, more: object) => ({
      jsonrpc: "2.0",
      id,
      method,
      params: { sessionId: "s", ...more },
    });
    const named = { terminalId: "terminal-1" };
    const agent = await started(
      {
        "session/prompt": [
          call(70, "terminal/create", { command: "sleep", args: ["600"] }),
          call(71, "terminal/wait_for_exit", named),
          call(72, "terminal/output", named),
        ],
      },
      { clock, silenceMs: 1000, services: { offers: ["terminals"], offLimits: [] } },
    );
    void agent.adapter.prompt("go");
    await waitFor(() => expect(agent.noted().some((line) => line.includes('"id":72'))).toBe(true));
    for (let step = 0; step < 5; step += 1) clock.advance(1500);
    agent.adapter.cancel();
    await waitFor(() => expect(agent.noted().at(-1)).toContain("session/cancel"));
    // Ours, and no other before it.
    expect(agent.noted().filter((line) => line.includes("session/cancel"))).toHaveLength(1);
  });

  it("gets an error for a method that we do not have", async () => {
    const { adapter, noted } = await started({
      "session/prompt": [
        { jsonrpc: "2.0", id: "v-1", method: "craft/drainMidTurnQueue", params: {} },
        { jsonrpc: "2.0", id: "v-2", method: "constructor", params: {} },
        answer({ stopReason: "end_turn" }),
      ],
    });
    await adapter.prompt("go");
    await waitFor(() => expect(noted().filter((line) => line.includes("-32601"))).toHaveLength(2));
  });

  it("may offer unknown kinds of choices: they are offered without a meaning", async () => {
    const { adapter, raised, noted } = await started({
      "session/prompt": [
        permission("p", {
          sessionId: "s",
          toolCall: { toolCallId: "t" },
          options: [
            { optionId: "a", name: "Allow until noon", kind: "allow_until" },
            { optionId: "b", name: "No", kind: "reject_once" },
          ],
        }),
      ],
    });
    void adapter.prompt("go");
    const event = await raised();
    expect(event.choices).toMatchObject([
      { label: "Allow until noon", intent: "other" },
      { label: "No", intent: "reject_once" },
    ]);
    await adapter.injectReply(replyTo(event, "1"), granted);
    await waitFor(() =>
      expect(noted().map((line) => JSON.parse(line) as unknown)).toContainEqual({
        jsonrpc: "2.0",
        id: "p",
        result: { outcome: { outcome: "selected", optionId: "a" } },
      }),
    );
  });

  it.each([
    ["no options", []],
    [
      "two options of one id",
      [
        { optionId: "a", name: "Yes", kind: "allow_once" },
        { optionId: "a", name: "No", kind: "reject_once" },
      ],
    ],
    ["an option without a name", [{ optionId: "a", name: " ", kind: "allow_once" }]],
  ])("is refused a request that cannot be answered: %s", async (_, options) => {
    const { adapter, noted } = await started({
      "session/prompt": [
        permission(1, { sessionId: "s", toolCall: { toolCallId: "t" }, options }),
        answer({ stopReason: "end_turn" }),
      ],
    });
    await adapter.prompt("go");
    await waitFor(() => expect(noted().some((line) => line.includes("-32602"))).toBe(true));
    expect((await adapter.snapshotContext()).promptCount).toBe(0);
  });

  it("cannot write on the terminal with what it says, nor hide what it asks", async () => {
    const { adapter, raised, shown } = await started({
      "session/prompt": [
        said("\u001b]0;title\u0007\u001b[2J\u202egnp.exe"),
        permission(1, {
          sessionId: "s",
          toolCall: { toolCallId: "t", title: "ls\u001b[8m; rm -rf ~\u001b[0m" },
          options: [{ optionId: "a", name: "Yes\u200b", kind: "allow_once" }],
        }),
      ],
    });
    void adapter.prompt("go");
    const event = await raised();
    expect(event.excerpt).toBe("ls‹U+001B›[8m; rm -rf ~‹U+001B›[0m");
    expect(event.choices[0]?.label).toBe("Yes‹U+200B›");
    await waitFor(() => expect(shown()).toContain("1. Yes"));
    expect(shown()).not.toMatch(/[\u001b\u0007\u202e\u200b]/);
  });

  it("may ask about more than a message to the hub can hold: the prompt says how much is cut", async () => {
    const { adapter, raised } = await started({
      "session/prompt": [
        permission(1, {
          sessionId: "s",
          toolCall: { toolCallId: "t", title: "write", rawInput: { text: "y".repeat(5 * 1024 * 1024) } },
          options: [{ optionId: "a", name: "Yes", kind: "allow_once" }],
        }),
      ],
    });
    void adapter.prompt("go");
    const event = await raised();
    expect(event.content.cut?.missing).toMatch(/more characters/);
    expect(JSON.stringify(event).length).toBeLessThan(4 * 1024 * 1024);
  });

  it("gets no tasks in a version of the protocol that we do not speak", async () => {
    const agent = rawAgent({ initialize: [answer({ protocolVersion: 77 })] });
    open.push(agent);
    await expect(agent.adapter.ready).rejects.toThrow(/version 77/);
  });

  it.each([
    ["is silent", []],
    ["talks on without a response", [said("still busy"), said("and busy")]],
  ])("does not count as having read a decision while it %s", async (_, lines) => {
    const clock = new ManualClock();
    const { adapter, raised, shown } = await started(
      {
        "_atlasbridge/ping": lines,
        "session/prompt": [
          permission(1, {
            sessionId: "s",
            toolCall: { toolCallId: "t" },
            options: [{ optionId: "a", name: "Yes", kind: "allow_once" }],
          }),
        ],
      },
      { clock },
    );
    void adapter.prompt("go");
    const event = await raised();
    let result: unknown = null;
    void adapter.injectReply(replyTo(event, "1"), granted).then((made) => (result = made));
    if (lines.length > 0) await waitFor(() => expect(shown()).toContain("and busy"));
    await waitFor(() => {
      clock.advance(DELIVERY_KNOWN_WITHIN_MS);
      expect(result).toMatchObject({ receipt: { outcome: "uncertain" } });
    });
  });

  it("may speak version 2: its turn ends when it says that it is idle", async () => {
    const agent = rawAgent({
      ...PING,
      initialize: [answer({ protocolVersion: 2, info: { name: "two", version: "0" }, capabilities: {} })],
      "session/new": [answer({ sessionId: "s" })],
      "session/prompt": [
        answer({ messageId: "m1" }),
        update({ sessionUpdate: "state_update", state: "running" }),
        permission(1, {
          sessionId: "s",
          title: "Run it?",
          subject: { type: "command", command: "make all", cwd: "/src" },
          options: [{ optionId: "a", name: "Yes", kind: "allow_once" }],
        }),
      ],
      "_atlasbridge/ping#1": [
        said("done"),
        update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" }),
        { jsonrpc: "2.0", id: "$ID", error: { code: -32601, message: "no" } },
      ],
    });
    open.push(agent);
    await agent.adapter.ready;
    const turn = agent.adapter.prompt("go");
    const event = await agent.raised();
    expect(event).toMatchObject({ excerpt: "Run it?", content: { text: "make all\nin /src" } });
    await agent.adapter.injectReply(replyTo(event, "1"), granted);
    expect(await turn).toEqual({ stopReason: "end_turn", problem: null });
  });
});

describe("the end of a piped tool", () => {
  it("ends all processes that it left behind", async () => {
    const agent = await started({});
    const file = join(agent.folder, "orphan");
    const env = { PATH: process.env["PATH"] ?? "" };
    const command = ["sh", "-c", `sleep 600 & echo $! > '${file}'; exit 3`];
    const tool = openPiped({ command, env, cwd: agent.folder });
    tool.output.resume();
    expect(await tool.exited).toMatchObject({ exitCode: 3 });
    expect(existsSync(file)).toBe(true);
    const pid = Number(readFileSync(file, "utf8"));
    await waitFor(() => expect(() => process.kill(pid, 0)).toThrow());
  });
});
