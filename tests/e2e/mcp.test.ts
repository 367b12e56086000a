/**
 * `mcp` gives an agent the answer of its person to each call of `ask_human`, also to two equal calls at once and after the hub
 * was killed. A killed agent leaves no prompt open, and an agent cannot answer its own prompt.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { askingClient, type AskingClient } from "../support/mcp-client.js";
import { eventually, MAIN } from "../support/hub-home.js";
import { RealTerminal } from "../support/real-cli/terminal.js";
import { type Rig, withRig } from "../support/rig/rig.js";
import { notLinux, skipped } from "../support/skipped.js";

const AGENT = "tests/fixtures/agents/asks-its-human.mjs";
const LABEL = "agent";

/** A client as an agent has it, with a phone behind. */
function withClient(work: (client: AskingClient, rig: Rig) => Promise<void>): Promise<void> {
  return withRig(async (rig) => {
    const client = await askingClient(rig.home.env, LABEL);
    try {
      await work(client, rig);
    } finally {
      await client.close();
    }
  });
}

const READ = ": delivered to the agent's client. It is unknown whether the client still waited for it.";
const colours = { question: "Which colour?", choices: ["red", "blue"] };

describe.concurrent("an agent that asks its human", () => {
  it("gets the choice that was tapped, and the card says that its client has read it", () =>
    withClient(async ({ call }, rig) => {
      const progress = vi.fn();
      const asked = call("ask_human", { ...colours, context: "For the door." }, { onprogress: progress });
      const card = await rig.phone.card(LABEL);
      expect(card.text).toContain("Which colour?");
      expect(card.content).toContain("For the door.");
      expect(card.buttons).toEqual(["1. red", "2. blue", "3. Decline to answer"]);
      await card.pressWords("2. blue");
      expect((await asked).structuredContent).toEqual({ status: "answered", answer: "blue" });
      expect(await card.settled()).toBe(`📨 blue, by Ara${READ}`);
      expect(progress).toHaveBeenCalled();
    }));

  it("gets an answer in words", () =>
    withClient(async ({ call }, rig) => {
      const asked = call("ask_human", { question: "What shall it be called?" });
      const card = await rig.phone.card(LABEL);
      card.reply("Ararat, with a capital");
      expect((await asked).structuredContent).toEqual({
        status: "answered",
        answer: "Ararat, with a capital",
      });
    }));

  it("goes on without an answer once its time is over, and the card says so", () =>
    withClient(async ({ call }, rig) => {
      // The hub is up then, and the card there in a moment.
      await call("notify_human", { message: "soon" });
      const asked = call("ask_human", { ...colours, timeout_seconds: 8 });
      const card = await rig.phone.card(LABEL);
      const [listed] = await rig.prompts();
      const { createdAt = "", expiresAt = "" } = listed ?? {};
      expect(Date.parse(expiresAt ?? "") - Date.parse(createdAt)).toBeLessThanOrEqual(8_000);
      expect((await asked).structuredContent).toEqual({ status: "timed_out" });
      expect(await card.settled()).toBe("⌛ Nobody answered in time; the tool continues without an answer");
    }));

  it("withdraws its prompt, and a later tap answers nothing", () =>
    withClient(async ({ call }, rig) => {
      const gaveUp = new AbortController();
      const asked = call("ask_human", colours, { signal: gaveUp.signal });
      const card = await rig.phone.card(LABEL);
      const [token = ""] = card.tokens;
      gaveUp.abort("no longer needed");
      await expect(asked).rejects.toThrow("no longer needed");
      expect(await card.settled()).toMatch(/Withdrawn by the tool/);
      expect(await card.pressOld(token)).toMatch(/gone/);
    }));

  it("asks two things at once, and gets each answer where it belongs", () =>
    withClient(async ({ call }, rig) => {
      const first = call("ask_human", { question: "First?", choices: ["a", "b"] });
      await rig.phone.card(LABEL);
      const second = call("ask_human", { question: "Second?", choices: ["c", "d"] });
      const card = await rig.phone.card(LABEL, 2);
      await card.pressWords("1. c");
      expect((await second).structuredContent).toMatchObject({ answer: "c" });
      await (await rig.phone.card(LABEL)).pressWords("2. b");
      expect((await first).structuredContent).toMatchObject({ answer: "b" });
    }));

  it("makes two prompts when it asks the same thing twice at once", () =>
    withClient(async ({ call }, rig) => {
      const both = [call("ask_human", colours), call("ask_human", colours)];
      await (await rig.phone.card(LABEL, 2)).pressWords("1. red");
      await (await rig.phone.card(LABEL)).pressWords("2. blue");
      const answers = (await Promise.all(both)).map(({ structuredContent }) => structuredContent?.["answer"]);
      expect(answers.sort()).toEqual(["blue", "red"]);
    }));

  it("that gave up its call without a message is not reported to have read the answer", () =>
    withClient(async ({ client, call }, rig) => {
      // As a client that only forgets: it takes nothing back, and it lives.
      const { transport } = client;
      if (!transport) throw new Error("the client is not connected");
      const send = transport.send.bind(transport);
      transport.send = (message, options) =>
        "method" in message && message.method === "notifications/cancelled"
          ? Promise.resolve()
          : send(message, options);
      await call("notify_human", { message: "soon" });
      const asked = call("ask_human", colours, { timeout: 6_000 }).catch(() => "given up");
      const card = await rig.phone.card(LABEL);
      expect(await asked).toBe("given up");
      await card.pressWords("1. red");
      expect(await card.settled()).toBe(`📨 red, by Ara${READ}`);
    }));

  it("does not lose its prompt when the hub is killed", () =>
    withClient(async ({ call }, rig) => {
      const asked = call("ask_human", colours);
      const card = await rig.phone.card(LABEL);
      const killed = await rig.killHub();
      await eventually(async () => (await rig.home.hubPid()) !== killed && rig.home.hubPid());
      await card.pressWords("1. red");
      expect((await asked).structuredContent).toEqual({ status: "answered", answer: "red" });
      expect(await card.settled()).toBe(`📨 red, by Ara${READ}`);
      expect(rig.phone.cards).toHaveLength(1);
    }));

  it("sends a notice without waiting", () =>
    withClient(async ({ call }, rig) => {
      const told = await call("notify_human", { message: "All tests pass.\n@everyone" });
      expect(told.structuredContent).toMatchObject({ places: 1 });
      expect(await rig.phone.notice(/All tests pass/)).toMatch(/📣 tester \(agent\): All tests pass\./);
    }));

  it("gets answers to its permission requests in the form of its program", () =>
    withClient(async ({ call }, rig) => {
      const input = { command: "make build", description: "Build it" };
      const first = call("permission_prompt", { tool_name: "Bash", input, tool_use_id: "t1" });
      const card = await rig.phone.card(LABEL);
      expect(card.content).toContain("make build");
      await card.pressWords("1. Yes");
      expect(readDecision(await first)).toEqual({ behavior: "allow", updatedInput: input });

      const second = call("permission_prompt", { tool_name: "Bash", input });
      (await rig.phone.card(LABEL, 2)).reply("2: not the build folder");
      expect(readDecision(await second)).toEqual({ behavior: "deny", message: "not the build folder" });
    }));

  it("gets an error for a wrong call, and nobody is asked", () =>
    withClient(async ({ call }, rig) => {
      const wrong = await call("ask_human", { choices: ["a"] });
      expect(wrong).toMatchObject({ isError: true });
      expect(JSON.stringify(wrong.content)).toContain("question");
      expect(await rig.home.hubPid()).toBeNull();
    }));
});

it("mcp leaves no prompt open when it is killed", () =>
  withRig(async (rig) => {
    const agent = spawn(process.execPath, [AGENT, MAIN, LABEL], { env: rig.home.env, stdio: "ignore" });
    const card = await rig.phone.card(LABEL);
    agent.kill("SIGKILL");
    expect(await card.settled()).toMatch(/The session ended/);
  }));

it("mcp says in a terminal that it is for an agent, and Ctrl-C ends it there", () =>
  withRig(async ({ home }) => {
    const given = Object.entries(home.env).filter((each): each is [string, string] => each[1] !== undefined);
    const terminal = new RealTerminal(
      { file: process.execPath, args: [MAIN, "mcp"], cwd: home.folder, env: Object.fromEntries(given) },
      { cols: 250, rows: 10 },
    );
    try {
      await terminal.waitFor(/an MCP server for agents.*claude mcp add atlasbridge -- atlasbridge mcp/);
      terminal.press("\u0003");
      expect(await terminal.exited).toBe(130);
    } finally {
      await terminal.close();
    }
  }));

it("mcp leaves Ctrl-C to the client that started it", () =>
  withClient(async ({ call, pid }) => {
    process.kill(pid, "SIGINT");
    // It is heard before what is sent after it.
    expect(await call("ask_human", { choices: ["a"] })).toMatchObject({ isError: true });
    expect(() => process.kill(pid, 0)).not.toThrow();
  }));

const TRIES = [
  "a child",
  "a child in a session of its own",
  "an orphan",
  "an orphan in a session of its own",
];

describe.skipIf(skipped(notLinux))("an agent that nobody supervises", () => {
  it("cannot answer what it asks", () => refusesAgent("direct"));
  it("cannot answer either where a wrapper starts its server and detaches itself", () =>
    refusesAgent("detached"));
});

function refusesAgent(way: "direct" | "detached"): Promise<void> {
  return withRig(async (rig) => {
    const log = join(rig.home.folder, "tries");
    const lines = (): Record<string, unknown>[] =>
      (existsSync(log) ? readFileSync(log, "utf8") : "")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    const agent = [process.execPath, AGENT, MAIN, LABEL, rig.home.paths.socket, log, way];
    rig.start(agent, { cwd: process.cwd() });
    const card = await rig.phone.card(LABEL);
    const tries = await eventually(() => lines().length === TRIES.length && lines());
    expect(tries.map(({ name }) => name).sort()).toEqual(TRIES);
    for (const each of tries) expect(each).toMatchObject({ claimed: false, code: "supervised" });

    // A person in another terminal may.
    const answer = rig.start([process.execPath, MAIN, "answer", card.shortId, "2"]);
    expect(await answer.exited).toBe(0);
    await eventually(() => lines().length > TRIES.length);
    expect(lines().at(-1)).toEqual({ name: "result", status: "answered", answer: "no" });
  });
}

function readDecision({ content }: { readonly content: readonly unknown[] }): unknown {
  const [first] = content as readonly { readonly text: string }[];
  return JSON.parse(first?.text ?? "null");
}
