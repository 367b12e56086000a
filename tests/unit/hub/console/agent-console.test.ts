/** An agent's process is not believed: the hub itself checks that a person has allowed exactly this command, once. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { asId, type Identity, type PromptId, type SessionId } from "../../../../src/model/ids.js";
import { CONSOLE_HUB_CALLS } from "../../../../src/wire/calls/agent-calls.js";
import type { WorkerLink } from "../../../../src/wire/connection-ends.js";
import { turns } from "../fake-channel.js";
import { buildTypingPrompt } from "../../../../src/model/console-call.js";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { makeEvent, makeRig, SESSION, sessionParams, SETTINGS, tempDirectory, type Rig } from "../rig.js";

const CONSOLE = asId<SessionId>("33333333-3333-4333-8333-333333333333");
const AGENT = { sessionId: SESSION };
const RESULT = {
  state: "finished",
  exitCode: 0,
  bytes: 3,
  note: "",
  text: "hi\n",
  outOfBand: "",
  styled: null,
};

/** The console's worker, which is open to agents or not. */
async function openConsole(
  rig: Rig,
  agents = true,
  answer: () => Promise<object> = () => Promise.resolve(RESULT),
  over: Readonly<Record<string, unknown>> = {},
): Promise<string[]> {
  const typed: string[] = [];
  const link: WorkerLink = {
    call: (method: string, params: object) => {
      if (method === "console.run") typed.push((params as { command: string }).command);
      const state = { open: true, agents, problem: null, status: null };
      if (method === "console.run" || method === "console.act") return answer();
      if (method === "console.set") return Promise.resolve({ problem: null } as never);
      return Promise.resolve((method === "console.state" ? state : { result: null }) as never);
    },
  };
  const capabilities = { chatTurns: false, screenView: true, console: true };
  const params = sessionParams({ sessionId: CONSOLE, tool: "bash", label: "work", capabilities, ...over });
  await rig.core.handlers["session.open"](params, { sessionId: null });
  rig.core.connected(CONSOLE, link);
  return typed;
}

/** The prompt that the agent's process raises for it; `over` replaces what it words otherwise. */
function buildEvent(command: string, n = 1, over: Partial<PromptEvent> = {}): PromptEvent {
  const typing = { tool: "run_command", consoleId: CONSOLE, session: "work", text: command } as const;
  const { question, ...shown } = buildTypingPrompt(typing);
  return makeEvent(n, { ...shown, score: 1, excerpt: question, defaultChoice: null, ...over });
}

/** Raises it for the agent's session, and answers it. */
async function allow(rig: Rig, asked: string | PromptEvent, value = "1"): Promise<PromptId> {
  const event = typeof asked === "string" ? buildEvent(asked) : asked;
  await rig.core.handlers["prompt.raise"](event as never, AGENT);
  await turns();
  const [button] = rig.store.prompts.listOpen();
  await rig.core.handlers["prompt.answer"]({ shortId: button?.shortId ?? "", value }, { sessionId: null });
  await turns();
  await rig.begin(event);
  await rig.end(event);
  return event.promptId;
}

function run(rig: Rig, promptId: string, command: string) {
  const wish = { consoleId: CONSOLE, promptId, commandId: promptId, command, timeoutMs: 1 };
  return Promise.resolve(rig.core.handlers["agent.run"](wish, AGENT));
}

describe("an agent's command for a console", () => {
  it("is typed once a person has allowed exactly it, and once only", async () => {
    const rig = await makeRig();
    const typed = await openConsole(rig);
    const promptId = await allow(rig, "make test");
    expect(await run(rig, promptId, "make test")).toMatchObject({ state: "finished" });
    await expect(run(rig, promptId, "make test")).rejects.toThrow("was used already");
    expect(typed).toEqual(["make test"]);
  });

  it("is not typed under the id of an earlier one, which its session would take for that one", async () => {
    const rig = await makeRig();
    const typed = await openConsole(rig);
    const first = await allow(rig, buildEvent("true", 1));
    await run(rig, first, "true");
    const promptId = await allow(rig, buildEvent("make backup", 2));
    const wish = { consoleId: CONSOLE, promptId, commandId: first, command: "make backup", timeoutMs: 1 };
    await expect((async () => rig.core.handlers["agent.run"](wish, AGENT))()).rejects.toThrow(
      "not that of its permission",
    );
    expect(typed).toEqual(["true"]);
  });

  it("is not typed where another command was allowed", async () => {
    const rig = await makeRig();
    const typed = await openConsole(rig);
    const promptId = await allow(rig, "make test");
    await expect(run(rig, promptId, "make install")).rejects.toThrow("not exactly this");
    expect(typed).toEqual([]);
  });

  const honest = buildEvent("make test");
  const { content } = honest;
  const { call } = content;
  const [yes, no] = honest.choices;
  it.each([
    ["another text", { content: { ...content, text: "session: work\ncommand: ls" } }],
    ["another session", { content: { ...content, text: content.text.replace("work", "scratch") } }],
    ["another call", { content: { ...content, call: { ...call!, input: { command: "make test" } } } }],
    ["more in its call", { content: { ...content, call: { ...call!, cwd: "/tmp" } } }],
    ["a cut text", { content: { ...content, cut: { missing: "1 line" } } }],
    ["another question", { excerpt: "Go on with the tests?" }],
    ["a Yes that is called No", { choices: [{ ...yes!, label: "No, do not run it" }, no!] }],
    ["a Yes that is not for once", { choices: [{ ...yes!, intent: "other" }, no!] }],
    ["a third choice", { choices: [yes!, no!, { label: "Later", intent: "other" }] }],
    ["a highlighted Yes", { defaultChoice: 1 }],
    ["another class", { safetyClass: "question" }],
    ["another limit", { constraints: { minChoice: 1, maxChoice: 2, multi: true } }],
    ["an unsure reading", { confidence: "low" }],
  ] as [string, Partial<PromptEvent>][])("is not typed where its card has %s", async (_, over) => {
    const rig = await makeRig();
    const typed = await openConsole(rig);
    const promptId = await allow(rig, buildEvent("make test", 1, over));
    await expect(run(rig, promptId, "make test")).rejects.toThrow("nothing was typed");
    expect(typed).toEqual([]);
  });

  it("is not typed where the card of this hub shows it otherwise, whatever its process says is hidden", async () => {
    const rig = await makeRig({ safeText: (text) => text.replace(/rm -rf \S+/, "[hidden]") });
    const typed = await openConsole(rig);
    const promptId = await allow(rig, "echo hi; rm -rf /srv");
    await expect(run(rig, promptId, "echo hi; rm -rf /srv")).rejects.toThrow("not exactly this");
    expect(typed).toEqual([]);
  });

  it("is typed whatever time its card says that the agent waits", async () => {
    const rig = await makeRig();
    const typed = await openConsole(rig);
    const constraints = { ...honest.constraints, answerBy: rig.clock.now() + 60_000 };
    await run(rig, await allow(rig, buildEvent("make test", 1, { constraints })), "make test");
    expect(typed).toEqual(["make test"]);
  });

  it("is not typed after a No, without an answer, or with a prompt that there never was", async () => {
    const rig = await makeRig();
    const typed = await openConsole(rig);
    const denied = await allow(rig, "make test", "2");
    await expect(run(rig, denied, "make test")).rejects.toThrow("nobody has allowed it");
    const open = await rig.raise({}, 7);
    await expect(run(rig, open.promptId, "make test")).rejects.toThrow("nobody has allowed it");
    await expect(run(rig, "never", "make test")).rejects.toThrow("no such prompt");
    expect(typed).toEqual([]);
  });

  it("is not typed into a console that is not open to agents, while paused, or without a session", async () => {
    const rig = await makeRig();
    const typed = await openConsole(rig, false);
    const promptId = await allow(rig, "make test");
    await expect(run(rig, promptId, "make test")).rejects.toThrow("has not opened it to agents");
    expect(await rig.core.handlers["agent.consoles"]({}, AGENT)).toEqual({ consoles: [] });
    await rig.core.setPaused(true, asId<Identity>("chat:1"));
    await expect(run(rig, promptId, "make test")).rejects.toThrow("paused");
    expect(() => rig.core.handlers["agent.consoles"]({}, { sessionId: null })).toThrow("own connection");
    expect(typed).toEqual([]);
  });
});

describe("a console that was started inside of the agent's session", () => {
  const list = (folder: string, programs = ["bash"], ask = true) => ({
    ...SETTINGS,
    agents: { may_start: [{ programs, paths: [folder], ask }] },
  });
  const peek = async (rig: Rig) =>
    rig.core.handlers["agent.act"]({ consoleId: CONSOLE, action: "screen", timeoutMs: 0 }, AGENT);

  async function openInside(rig: Rig, cwd: string): Promise<string[]> {
    return openConsole(rig, true, undefined, { inside: SESSION, command: ["bash"], cwd });
  }

  it("is closed to agents unless the configuration lists its program and folder at that time", async () => {
    const folder = tempDirectory();
    const rig = await makeRig({ underTool: true });
    const typed = await openInside(rig, folder);
    const promptId = await allow(rig, "make");
    for (const settings of [SETTINGS, list("/srv"), list(folder, ["python3"])]) {
      rig.core.reconfigure(settings);
      expect(await rig.core.handlers["agent.consoles"]({}, AGENT)).toEqual({ consoles: [] });
      await expect(peek(rig)).rejects.toThrow(`bash in ${folder} is not listed under agents.may_start`);
      await expect(run(rig, promptId, "make")).rejects.toThrow("nothing was typed: it was started inside");
    }
    expect(typed).toEqual([]);
    rig.core.reconfigure(list(folder));
    expect((await rig.core.handlers["agent.consoles"]({}, AGENT)).consoles).toHaveLength(1);
    await run(rig, promptId, "make");
    expect(typed).toEqual(["make"]);
  });

  it("is open to agents where a person opens it, until they take that back", async () => {
    const rig = await makeRig({ underTool: true });
    await openInside(rig, tempDirectory());
    const set = async (agents: boolean) =>
      rig.core.handlers["console.set"]({ sessionId: CONSOLE, open: true, agents }, { sessionId: null });
    await set(true);
    await peek(rig);
    await set(false);
    await expect(peek(rig)).rejects.toThrow("is not listed");
  });

  it("is started without a card only where the configuration says so, and only without arguments", async () => {
    const folder = tempDirectory();
    const rig = await makeRig({ underTool: true });
    await rig.core.handlers["session.open"](sessionParams({ cwd: folder }), { sessionId: null });
    const start = async (hasArguments: boolean, program = "bash") =>
      rig.core.handlers["agent.start"]({ program, hasArguments }, AGENT);
    await expect(start(false)).rejects.toThrow(/^nothing was started: bash in .*: no program is allowed$/);
    rig.core.reconfigure(list(folder));
    expect(await start(false)).toEqual({ ask: true });
    rig.core.reconfigure(list(folder, ["bash", "/bin/bash"], false));
    // Which file a name starts is decided by the agent's PATH.
    expect(await start(false)).toEqual({ ask: true });
    expect(await start(false, "/bin/bash")).toEqual({ ask: false });
    expect(await start(true, "/bin/bash")).toEqual({ ask: true });
    await rig.core.setPaused(true, asId<Identity>("chat:1"));
    await expect(start(false)).rejects.toThrow("nothing was started: AtlasBridge is paused");
  });
});

describe("an agent that interrupts and is refused without an end", () => {
  it("fills no audit: thirty rows a minute are its own, and the last one says that more are not there", async () => {
    const rig = await makeRig();
    await openConsole(rig, true, () => Promise.resolve({ problem: null, result: null, text: null }));
    const act = async () =>
      rig.core.handlers["agent.act"]({ consoleId: CONSOLE, action: "interrupt", timeoutMs: 0 }, AGENT);
    const forged = { consoleId: CONSOLE, promptId: "p", commandId: "c", command: "ls", timeoutMs: 1 };
    const forge = async () => rig.core.handlers["agent.run"](forged, AGENT);
    const steps = (): readonly string[] =>
      [...rig.store.audit.readAfter(0)].map(({ step }) => step).filter((step) => step.startsWith("console_"));
    for (let n = 0; n < 29; n++) await act();
    for (let n = 0; n < 100; n++) {
      await expect(act()).rejects.toThrow("too often");
      await expect(forge()).rejects.toThrow("its id is not");
    }
    expect(steps()).toEqual([...Array.from({ length: 29 }, () => "console_command"), "console_refused"]);
    const [last] = [...rig.store.audit.readAfter(0)].slice(-1);
    expect(JSON.parse(last?.details ?? "")).toMatchObject({ code: "too_often", moreAreNotRecorded: true });
    rig.clock.advance(60_000);
    await act();
    expect(steps().slice(30)).toEqual(["console_command"]);
  });
});

it("an agent presses no key but the interrupt, and gives a line no id under which another was typed", () => {
  const { params } = CONSOLE_HUB_CALLS["agent.act"];
  const wish = { consoleId: CONSOLE, timeoutMs: 0 };
  const isTaken = (over: object): boolean => v.safeParse(params, { ...wish, ...over }).success;
  expect(isTaken({ action: "interrupt" })).toBe(true);
  expect(isTaken({ action: "eof" })).toBe(false);
  expect(isTaken({ action: "suspend" })).toBe(false);
  expect(isTaken({ action: "input", promptId: "p1", input: "y" })).toBe(true);
  expect(isTaken({ action: "input", promptId: "p1", input: "y", actId: "a1" })).toBe(false);
});

describe("a key or a line of an agent whose call to the console broke", () => {
  const BROKEN = (): Promise<never> => Promise.reject(new Error("the other side closed the connection"));
  const read = (rig: Rig): readonly (readonly [string, object])[] =>
    [...rig.store.audit.readAfter(0)]
      .filter(({ step }) => step.startsWith("console_"))
      .map(({ step, details }) => [step, JSON.parse(details) as object]);

  it("has an end row that says that the result is unknown, and the card of a line says so", async () => {
    const rig = await makeRig({ underTool: true });
    await openConsole(rig, true, BROKEN);
    const typing = { tool: "send_input", consoleId: CONSOLE, session: "work", text: "y" } as const;
    const { question, ...shown } = buildTypingPrompt(typing);
    const event = makeEvent(1, { ...shown, score: 1, excerpt: question, defaultChoice: null });
    const promptId = await allow(rig, event);
    const wish = { consoleId: CONSOLE, promptId, action: "input", input: "y", timeoutMs: 0 } as const;
    await expect(Promise.resolve(rig.core.handlers["agent.act"](wish, AGENT))).rejects.toThrow("closed");
    expect(read(rig)).toMatchObject([
      ["console_command", { action: "input", byAgent: SESSION }],
      ["console_ended", { action: "input", state: "unknown" }],
    ]);
    expect(rig.store.prompts.find(promptId)?.outcome).toContain("it is not known whether it was typed");
  });

  it("has it for an interrupt, too", async () => {
    const rig = await makeRig();
    await openConsole(rig, true, BROKEN);
    const wish = { consoleId: CONSOLE, action: "interrupt", timeoutMs: 0 } as const;
    await expect(Promise.resolve(rig.core.handlers["agent.act"](wish, AGENT))).rejects.toThrow("closed");
    expect(read(rig)).toMatchObject([
      ["console_command", { action: "interrupt", byAgent: SESSION }],
      ["console_ended", { action: "interrupt", state: "unknown" }],
    ]);
  });
});

describe("the card of an agent's command", () => {
  const read = (rig: Rig): string | null | undefined =>
    rig.store.prompts.find(buildEvent("make").promptId)?.outcome;

  it("says that nothing has been typed until the command comes", async () => {
    const rig = await makeRig({ underTool: true });
    await openConsole(rig);
    await allow(rig, "make");
    expect(read(rig)).toMatch(/^📨 Yes, by .*\. Nothing has been typed so far$/);
  });

  it.each([
    ["was typed", () => Promise.resolve(RESULT), /^✅ Yes, by .*: typed into work; exit code 0$/],
    [
      "was not typed",
      () => Promise.resolve({ ...RESULT, state: "refused", note: "another command is still running" }),
      /^⚠️ Yes, by .*: nothing was typed into work \(another command is still running\)$/,
    ],
    [
      "has an end that nobody has seen",
      () => Promise.reject(new Error("gone")),
      /^❔ Yes, by .*: given to work; it is not known whether it was typed$/,
    ],
  ] as [string, () => Promise<object>, RegExp][])("says that it %s", async (_, answer, words) => {
    const rig = await makeRig({ underTool: true });
    await openConsole(rig, true, answer);
    await run(rig, await allow(rig, "make"), "make").catch(() => undefined);
    // Edits of one chat keep their distance.
    rig.clock.advance(10_000);
    await turns();
    expect(read(rig)).toMatch(words);
    expect(rig.chat.messages.some(({ outcome }) => words.test(outcome?.text ?? ""))).toBe(true);
  });
});
