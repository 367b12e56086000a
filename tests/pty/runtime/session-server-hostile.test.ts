import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { resolve } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../../src/observe/clock.js";
import type { CallAsk } from "../../../src/worker/answer/call-ask.js";
import { isDecision } from "../../../src/worker/answer/decision.js";
import type { WaitingCall, WhyGone } from "../../../src/worker/evidence/waiting-call.js";
import { SessionServerJoin } from "../../../src/worker/runtime/pty/joined/session-server-join.js";
import { notLinux, skipped } from "../../support/skipped.js";

vi.setConfig({ testTimeout: 60_000 });

const PUPPET = resolve("tests/fixtures/agents/puppet-session-server.mjs");
const LOGIN = { user: "me", password: "s3cret-of-this-run" };
const WAIT = { timeout: 30_000 };

interface Heard {
  readonly call: WaitingCall;
  readonly ask: CallAsk;
  readonly gone: WhyGone[];
}

type Said = Readonly<Record<string, unknown>>;

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

class Puppet {
  readonly heard: Heard[] = [];
  readonly said: Said[] = [];
  /** Each time that its server is looked for. */
  readonly looks = vi.fn(() => this.#child.pid ?? null);
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
    if (child.stdout)
      createInterface({ input: child.stdout }).on("line", (line) => this.said.push(JSON.parse(line) as Said));
  }

  /** Joined, and listened to. */
  static async start(): Promise<Puppet> {
    const child = spawn(process.execPath, [PUPPET], { stdio: ["pipe", "pipe", "inherit"] });
    const puppet = new Puppet(child);
    await puppet.says("port");
    const join = new SessionServerJoin(
      {
        clock: systemClock,
        cwd: "/srv/proj",
        leader: puppet.looks,
        declared: () => undefined,
        onTurnOver: () => undefined,
        onRequest: (call, ask) => {
          const gone: WhyGone[] = [];
          call.onGone((why) => gone.push(why));
          puppet.heard.push({ call, ask, gone });
        },
      },
      { login: LOGIN, drawn: { drawn: {}, pages: [] } },
    );
    open.push(async () => {
      join.close();
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    });
    await puppet.says("listens");
    return puppet;
  }

  pull(strings: Said): void {
    this.#child.stdin?.write(`${JSON.stringify(strings)}\n`);
  }

  tell(type: string, properties: unknown): void {
    this.pull({ tell: `data: ${JSON.stringify({ id: "evt_1", type, properties })}\n\n` });
  }

  asks(id: string, command: string): void {
    this.tell("permission.asked", permission(id, command));
  }

  async says(what: string, times = 1): Promise<Said> {
    const find = (): Said =>
      this.said.filter((said) => what in said)[times - 1] ?? expect.fail(`it has not said “${what}”`);
    return vi.waitFor(find, WAIT);
  }

  async asked(count: number): Promise<Heard> {
    return vi.waitFor(() => this.heard[count - 1] ?? expect.fail("nothing was asked"), WAIT);
  }

  /** Events come in their order: what was told before this was read. */
  async read(): Promise<void> {
    const count = this.heard.length;
    this.asks(`per_read_${count}`, "true");
    await this.asked(count + 1);
    this.heard.pop();
  }

  get posted(): Said[] {
    return this.said.filter((said) => "posted" in said);
  }
}

function permission(id: string, command: string): Said {
  const patterns = [command];
  return { id, sessionID: "ses_1", permission: "bash", patterns, metadata: { command }, always: [] };
}

function answer({ call, ask }: Heard, value = "1"): Promise<string> {
  const decided = ask.decide({ value });
  if (!isDecision(decided)) throw new Error("it is no answer");
  return call.answer(decided.json);
}

const textOf = ({ ask }: Heard): string => ask.question.content.text;

describe.skipIf(skipped(notLinux))("beside a tool whose server means harm, or is broken", () => {
  it("reads on after what is no event, or none that it knows", async () => {
    const puppet = await Puppet.start();
    const events: unknown[] = [null, 7, "x", [], {}, { type: 7 }, { type: "permission.asked" }];
    const requests: unknown[] = [
      null,
      [],
      { id: 7 },
      { id: "per_1" },
      { id: "per_2", permission: { a: 1 } },
      { id: "per_3", permission: null, metadata: "x", patterns: {}, always: 7 },
    ];
    for (const event of events) puppet.pull({ tell: `data: ${JSON.stringify(event)}\n\n` });
    for (const told of requests) puppet.tell("permission.asked", told);
    for (const told of [
      {},
      { id: "que_1" },
      { id: "que_2", questions: [7] },
      { id: "que_3", questions: "x" },
    ])
      puppet.tell("question.asked", told);
    for (const told of [{}, { part: 7 }, { part: { type: "tool", callID: "c", state: 7 } }])
      puppet.tell("message.part.updated", told);
    for (const told of [{}, { requestID: 7 }, { requestID: "nobody's", reply: "once" }])
      puppet.tell("permission.replied", told);
    puppet.pull({ tell: "data: {no JSON}\n\nnonsense\n\u0000\n:\ndata\n\n\r\n\r\n" });
    puppet.pull({ tell: `data: ${"[".repeat(100_000)}\n\n` });
    await puppet.read();
    expect(puppet.heard).toEqual([]);
    expect(puppet.posted).toEqual([]);
  });

  it("bounds what never ends, and what is asked at once", async () => {
    const puppet = await Puppet.start();
    puppet.asks("per_1", "touch a");
    const first = await puppet.asked(1);
    puppet.pull({ tell: "data: " });
    puppet.pull({ flood: 40 * 1024 * 1024 });
    puppet.pull({ tell: "\n\n" });
    for (let n = 2; n <= 70; n++) puppet.asks(`per_${n}`, `touch ${n}`);
    await puppet.asked(64);
    // Of what is over there is room again.
    puppet.tell("permission.replied", { requestID: "per_1", reply: "once" });
    await vi.waitFor(() => expect(first.gone).toEqual(["over"]), WAIT);
    await puppet.read();
    expect(puppet.heard).toHaveLength(64);
  });

  it("answers neither of two that have one id; one that is told again is asked once", async () => {
    const puppet = await Puppet.start();
    puppet.asks("per_1", "ls");
    puppet.asks("per_1", "ls");
    puppet.asks("per_2", "ls");
    const [first, second] = [await puppet.asked(1), await puppet.asked(2)];
    puppet.asks("per_2", "rm -rf /");
    await vi.waitFor(() => expect(second.gone).toEqual(["lost"]), WAIT);
    puppet.asks("per_2", "rm -rf /");
    await puppet.read();
    expect(puppet.heard.map(textOf)).toEqual(["ls", "ls"]);
    expect(await answer(second)).toBe("gone");
    const answered = answer(first);
    await puppet.says("posted");
    puppet.tell("permission.replied", { requestID: "per_1", reply: "once" });
    expect(await answered).toBe("delivered");
    expect(puppet.posted).toEqual([{ posted: "/permission/per_1/reply", body: { reply: "once" } }]);
  });

  it.each([
    ["hangs up in the middle of it", null],
    ["knows nothing of it", 404],
    ["fails", 500],
  ])("claims nothing of an answer when the server %s", async (_, reply) => {
    const puppet = await Puppet.start();
    puppet.pull({ reply });
    puppet.asks("per_1", "ls");
    expect(await answer(await puppet.asked(1))).toBe("unknown");
    await puppet.says("posted");
    await puppet.read();
    expect(puppet.posted).toHaveLength(1);
  });

  it("claims nothing of an answer that the server calls another one", async () => {
    const puppet = await Puppet.start();
    puppet.asks("per_1", "ls");
    const answered = answer(await puppet.asked(1));
    await puppet.says("posted");
    puppet.tell("permission.replied", { requestID: "per_1", reply: "always" });
    expect(await answered).toBe("unknown");
  });

  it("asks a second time what still waits when the connection broke", async () => {
    const puppet = await Puppet.start();
    puppet.asks("per_1", "ls");
    const first = await puppet.asked(1);
    puppet.pull({ pending: [permission("per_1", "ls")], drop: true });
    await vi.waitFor(() => expect(first.gone).toEqual(["lost"]), WAIT);
    const again = await puppet.asked(2);
    expect(await answer(first)).toBe("gone");
    const answered = answer(again);
    await puppet.says("posted");
    puppet.tell("permission.replied", { requestID: "per_1", reply: "once" });
    expect(await answered).toBe("delivered");
    expect(puppet.posted).toHaveLength(1);
  });

  it("does not insist: a connection that breaks again and again is left alone", async () => {
    const puppet = await Puppet.start();
    for (let times = 1; times <= 4; times++) {
      await puppet.says("listens", times);
      puppet.pull({ drop: true });
    }
    await new Promise((look) => setTimeout(look, 1000));
    expect(puppet.said.filter((said) => "listens" in said)).toHaveLength(4);
  });

  it("gives neither password nor answer to whoever has taken the port over", async () => {
    const puppet = await Puppet.start();
    const { port } = await puppet.says("port");
    puppet.asks("per_1", "ls");
    const asked = await puppet.asked(1);
    puppet.pull({ leave: true });
    await puppet.says("left");
    let heard = "";
    let connected = 0;
    const thief = createServer((socket) => {
      connected += 1;
      socket.on("error", () => undefined).on("data", (chunk: Buffer) => (heard += chunk.toString()));
    });
    thief.listen(Number(port), "127.0.0.1");
    await once(thief, "listening");
    open.push(async () => {
      thief.close();
      await once(thief, "close");
    });
    expect(await answer(asked)).toBe("unknown");
    expect([connected, heard]).toEqual([1, ""]);
    // Nor when it looks for its server again.
    const before = puppet.looks.mock.calls.length;
    puppet.pull({ drop: true });
    await vi.waitFor(() => expect(puppet.looks.mock.calls.length).toBeGreaterThan(before + 3), WAIT);
    expect([connected, heard]).toEqual([1, ""]);
    expect(puppet.posted).toEqual([]);
  });

  it("speaks to nobody as long as the tool itself does not listen", async () => {
    let connected = 0;
    const other = createServer((socket) => {
      connected += 1;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(other, "listening");
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true });
    const looks = vi.fn(() => child.pid ?? null);
    const host = {
      clock: systemClock,
      cwd: "/srv/proj",
      leader: looks,
      declared: () => undefined,
      onTurnOver: () => undefined,
      onRequest: () => undefined,
    };
    const join = new SessionServerJoin(host, { login: LOGIN, drawn: { drawn: {}, pages: [] } });
    open.push(async () => {
      join.close();
      child.kill("SIGKILL");
      other.close();
      await once(other, "close");
    });
    await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(3), WAIT);
    expect(connected).toBe(0);
  });
});
