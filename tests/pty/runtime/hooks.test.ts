import { resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { asId, type Identity, type Nonce, type PromptId, type ReplyId } from "../../../src/model/ids.js";
import type { PromptEvent } from "../../../src/model/prompt.js";
import type { AdapterEvent, InjectionResult } from "../../../src/sdk/adapter.js";
import { Loopback } from "../../../src/worker/evidence/hooks/loopback.js";
import { PtyAdapter } from "../../../src/worker/runtime/pty/pty-adapter.js";
import { ptyOptions } from "../../support/pty-options.js";
import { shippedAdapter } from "../../unit/detect/screens.js";
import { notLinux, skipped } from "../../support/skipped.js";

const SECRET = "s3cret";
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A tool with its dialog (`shown`) and its hook call (`told`). */
async function start(shown: string, told: string, agentName = "asks-by-hook", ...more: readonly string[]) {
  const loopback = await Loopback.open();
  const adapter = new PtyAdapter({
    ...ptyOptions(shippedAdapter("claude")),
    hookAccess: { loopback, secret: SECRET, callers: "tool" },
  });
  const agent = resolve(`tests/fixtures/agents/${agentName}.mjs`);
  await adapter.startSession([
    process.execPath,
    agent,
    `http://127.0.0.1:${loopback.port}/`,
    SECRET,
    shown,
    told,
    ...more,
  ]);
  ends.push(async () => {
    adapter.terminal.kill("SIGKILL");
    await adapter.exited;
    loopback.close();
  });
  const events = adapter.events()[Symbol.asyncIterator]();
  /** The next one that is no change of state. */
  const next = async (): Promise<Exclude<AdapterEvent, { kind: "state" }>> => {
    for (;;) {
      const event = (await events.next()).value as AdapterEvent;
      if (event.kind !== "state") return event;
    }
  };
  const raised = async (): Promise<PromptEvent> => {
    const event = await next();
    if (event.kind !== "raised") throw new Error(`not raised, but ${JSON.stringify(event)}`);
    return event.event;
  };
  return { adapter, next, raised };
}

function answer(
  adapter: PtyAdapter,
  { promptId, sessionId }: PromptEvent,
  value: string,
): Promise<InjectionResult> {
  const reply = {
    replyId: asId<ReplyId>("r1"),
    promptId: asId<PromptId>(promptId),
    sessionId,
    value,
    nonce: asId<Nonce>("n"),
    channelIdentity: asId<Identity>("cli:local"),
    timestamp: "2026-01-01T00:00:00.000Z",
    newlinePolicy: "append" as const,
  };
  return adapter.injectReply(reply, () => Promise.resolve());
}

const drawn = async (adapter: PtyAdapter): Promise<void> => {
  // The dialog has joined once the tool takes keys for it; until then a digit would be typed at nothing.
  while ((await adapter.snapshotContext())["toolState"] !== "waiting")
    await new Promise((done) => setImmediate(done));
};

describe("a tool that calls a hook beside its dialog", () => {
  it("asks once, with the whole input, and is answered without a key", async () => {
    const { adapter, raised } = await start("rm -rf build", "rm -rf build", "asks-by-hook", "later");
    const event = await raised();
    expect(event).toMatchObject({
      sources: [{ kind: "hook" }],
      content: { text: "rm -rf build", cut: null },
    });
    await adapter.terminal.write(Buffer.from("d"));
    await drawn(adapter);
    expect(await answer(adapter, event, "1")).toMatchObject({
      kind: "receipt",
      receipt: { outcome: "answered", route: "hook" },
    });
    expect((await adapter.snapshotContext()).promptCount).toBe(1);
  });

  it("is answered at the keyboard as ever", async () => {
    const { adapter, raised, next } = await start("rm -rf build", "rm -rf build");
    const event = await raised();
    await drawn(adapter);
    adapter.typeKeys(Buffer.from("2"), true);
    expect(await next()).toEqual({ kind: "withdrawn", promptId: event.promptId, reason: "answered_locally" });
    expect(await answer(adapter, event, "1")).toMatchObject({
      kind: "refused",
      rejection: { code: "withdrawn" },
    });
  });

  it("is answered at the keyboard before its dialog was found", async () => {
    const { adapter, raised, next } = await start("rm -rf build", "rm -rf build");
    const event = await raised();
    await shows(adapter, "1. Yes");
    adapter.typeKeys(Buffer.from("1"), true);
    expect(await next()).toEqual({ kind: "withdrawn", promptId: event.promptId, reason: "answered_locally" });
  });

  it("is not told to be answered by us where the keyboard was faster, although its call still waits", async () => {
    const { adapter, raised, next } = await start("rm -rf build", "rm -rf build");
    const event = await raised();
    await drawn(adapter);
    adapter.typeKeys(Buffer.from("1"), true);
    expect(await answer(adapter, event, "2")).toMatchObject({
      kind: "refused",
      rejection: { code: "withdrawn" },
    });
    expect(await next()).toEqual({ kind: "withdrawn", promptId: event.promptId, reason: "answered_locally" });
    await shows(adapter, 'typed "1"');
  });

  it("and a forged call are two: what is said to the forger never reaches the dialog", async () => {
    const { adapter, raised } = await start("rm -rf /", "ls");
    const [first, second] = [await raised(), await raised()];
    const forged = [first, second].find(({ content }) => content.text === "ls");
    const real = [first, second].find(({ content }) => content.text.includes("rm -rf /"));
    expect(real?.sources).toEqual([{ kind: "screen", name: "permission" }]);
    if (!forged || !real) throw new Error("not two");
    await answer(adapter, forged, "1");
    // The dialog still stands, and takes its own answer.
    expect(await answer(adapter, real, "2")).toMatchObject({
      receipt: { outcome: "answered", route: "keys" },
    });
  });

  it("and drops the call: the dialog is asked anew, from the screen, and answered with keys", async () => {
    const { adapter, raised, next } = await start("rm -rf build", "rm -rf build");
    const event = await raised();
    await drawn(adapter);
    void adapter.terminal.write(Buffer.from("x"));
    expect(await next()).toEqual({ kind: "withdrawn", promptId: event.promptId, reason: "superseded" });
    const again = await raised();
    expect(again.sources).toEqual([{ kind: "screen", name: "permission" }]);
    expect(await answer(adapter, again, "1")).toMatchObject({
      receipt: { outcome: "answered", route: "keys" },
    });
  });
});

/** Until this stands on the tool's screen; it may stand there already. */
async function shows(adapter: PtyAdapter, text: string): Promise<void> {
  while (!adapter.onlooker.screen().text?.includes(text)) await new Promise((look) => setTimeout(look, 10));
}

describe("a program that the tool runs, with the address and the secret", () => {
  describe.skipIf(skipped(notLinux))("is not heard", () => {
    it.each([
      ["where it runs apart from the tool's terminal, as commands do", "apart"],
      ["where it is talked to through pipes, as servers are", "piped"],
    ])("%s", async (_, how) => {
      const { adapter, raised } = await start("rm -rf /", "rm -rf /", "forges-a-hook", how);
      const event = await raised();
      expect(event.sources).toEqual([{ kind: "screen", name: "permission" }]);
      await shows(adapter, "FORGED 403");
      expect((await adapter.snapshotContext()).promptCount).toBe(1);
      expect(await answer(adapter, event, "2")).toMatchObject({
        receipt: { outcome: "answered", route: "keys" },
      });
    });
  });

  it("and that was handed the tool's own terminal asks a question of its own: its answer stays with it", async () => {
    const { adapter, raised } = await start("rm -rf /", "ls", "forges-a-hook", "beside");
    const events = [await raised(), await raised()];
    const forged = events.find(({ content }) => content.text === "ls");
    const real = events.find(({ content }) => content.text.includes("rm -rf /"));
    if (!forged || !real) throw new Error("not two");
    expect(await answer(adapter, forged, "1")).toMatchObject({ receipt: { route: "hook" } });
    await shows(adapter, "FORGED 200");
    expect(await answer(adapter, real, "2")).toMatchObject({
      receipt: { outcome: "answered", route: "keys" },
    });
  });
});
