/**
 * A server that floods, repeats ids, breaks an answer off or sends garbage gets no false report of an answer. A process that has
 * taken over the port of opencode gets neither password nor answer.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { resolve } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { notLinux, skipped } from "../../../../support/skipped.js";
import { HurriedClock } from "../../../support/hurried-clock.js";
import {
  answer,
  atEnd,
  endAll,
  joinServer,
  type Heard,
  type JoinedServer,
} from "../../../support/joined-server.js";
import { waitFor } from "../../../../support/wait-for.js";

const PUPPET = resolve("tests/fixtures/agents/puppet-session-server.mjs");

type Said = Readonly<Record<string, unknown>>;

afterEach(endAll);

class Puppet {
  /** Each time that its server is looked for. */
  readonly looks = vi.fn(() => this.#child.pid ?? null);
  readonly clock = new HurriedClock();
  readonly said: readonly Said[];
  readonly #child: ChildProcess;
  readonly #joined: JoinedServer;

  private constructor(child: ChildProcess, said: readonly Said[]) {
    this.#child = child;
    this.said = said;
    this.#joined = joinServer(this.looks, { clock: this.clock });
  }

  /** Joined, and listened to. */
  static async start(): Promise<Puppet> {
    const child = spawn(process.execPath, [PUPPET], { stdio: ["pipe", "pipe", "inherit"] });
    const said: Said[] = [];
    const lines = createInterface({ input: child.stdout });
    lines.on("line", (line) => said.push(JSON.parse(line) as Said));
    atEnd(async () => {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    });
    // Its port.
    await once(lines, "line");
    const puppet = new Puppet(child, said);
    atEnd(() => puppet.#joined.close());
    await puppet.says("listens");
    return puppet;
  }

  get heard(): Heard[] {
    return this.#joined.heard;
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
    return waitFor(find);
  }

  asked(count: number): Promise<Heard> {
    return this.#joined.asked(count);
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

const readText = ({ ask }: Heard): string => ask.prompt.content.text;

describe.skipIf(skipped(notLinux))("an attachment to a server that is hostile or broken", () => {
  it("reads on after data that is no event, or an unknown one", async () => {
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

  it("bounds an endless message and the number of prompts at once", async () => {
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
    await waitFor(() => expect(first.gone).toEqual(["answered"]));
    await puppet.read();
    expect(puppet.heard).toHaveLength(64);
  });

  it("answers neither of two requests with one id, and raises a repeated request once", async () => {
    const puppet = await Puppet.start();
    puppet.asks("per_1", "ls");
    puppet.asks("per_1", "ls");
    puppet.asks("per_2", "ls");
    const [first, second] = [await puppet.asked(1), await puppet.asked(2)];
    puppet.asks("per_2", "rm -rf /");
    await waitFor(() => expect(second.gone).toEqual(["lost"]));
    puppet.asks("per_2", "rm -rf /");
    await puppet.read();
    expect(puppet.heard.map(readText)).toEqual(["ls", "ls"]);
    expect(await answer(second, "1")).toBe("gone");
    const answered = answer(first, "1");
    await puppet.says("posted");
    puppet.tell("permission.replied", { requestID: "per_1", reply: "once" });
    expect(await answered).toBe("delivered");
    expect(puppet.posted).toEqual([{ posted: "/permission/per_1/reply", body: { reply: "once" } }]);
  });

  it.each([
    ["hangs up in the middle of it", null, "unknown"],
    ["fails", 500, "unknown"],
    ["knows nothing of it", 404, "gone"],
  ])("calls an answer uncertain when the server %s", async (_, reply, became) => {
    const puppet = await Puppet.start();
    puppet.pull({ reply });
    puppet.asks("per_1", "ls");
    expect(await answer(await puppet.asked(1), "1")).toBe(became);
    await puppet.says("posted");
    await puppet.read();
    expect(puppet.posted).toHaveLength(1);
  });

  it("calls an answer uncertain that was on its way when the server dropped its request", async () => {
    const puppet = await Puppet.start();
    puppet.asks("per_1", "ls");
    const answered = answer(await puppet.asked(1), "1");
    await puppet.says("posted");
    puppet.tell("session.idle", { sessionID: "ses_1" });
    expect(await answered).toBe("unknown");
  });

  it("calls an answer uncertain that the server reports as a different one", async () => {
    const puppet = await Puppet.start();
    puppet.asks("per_1", "ls");
    const answered = answer(await puppet.asked(1), "1");
    await puppet.says("posted");
    puppet.tell("permission.replied", { requestID: "per_1", reply: "always" });
    expect(await answered).toBe("gone");
  });

  it("raises a waiting request again after the connection broke", async () => {
    const puppet = await Puppet.start();
    puppet.asks("per_1", "ls");
    const first = await puppet.asked(1);
    puppet.pull({ pending: [permission("per_1", "ls")], drop: true });
    await waitFor(() => expect(first.gone).toEqual(["lost"]));
    const again = await puppet.asked(2);
    expect(await answer(first, "1")).toBe("gone");
    const answered = answer(again, "1");
    await puppet.says("posted");
    puppet.tell("permission.replied", { requestID: "per_1", reply: "once" });
    expect(await answered).toBe("delivered");
    expect(puppet.posted).toHaveLength(1);
  });

  it("gives up a connection that breaks again and again", async () => {
    const puppet = await Puppet.start();
    for (let times = 1; times <= 4; times++) {
      await puppet.says("listens", times);
      puppet.asks(`per_${times}`, "ls");
      const asked = await puppet.asked(times);
      puppet.looks.mockClear();
      puppet.pull({ drop: true });
      await waitFor(() => expect(asked.gone).toEqual(["lost"]));
      // It looks again at once, or when its timer says so; or never.
      puppet.clock.hurry();
      expect(puppet.looks).toHaveBeenCalledTimes(times < 4 ? 1 : 0);
    }
    expect(puppet.said.filter((said) => "listens" in said)).toHaveLength(4);
  });

  it("gives neither password nor answer to a process that has taken the port over", async () => {
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
    atEnd(async () => {
      thief.close();
      await once(thief, "close");
    });
    expect(await answer(asked, "1")).toBe("unknown");
    expect([connected, heard]).toEqual([1, ""]);
    // Nor when it looks for its server again.
    const before = puppet.looks.mock.calls.length;
    puppet.pull({ drop: true });
    await waitFor(() => expect(puppet.looks.mock.calls.length).toBeGreaterThan(before + 3));
    expect([connected, heard]).toEqual([1, ""]);
    expect(puppet.posted).toEqual([]);
  });

  it("connects to no process while the tool itself does not listen", async () => {
    let connected = 0;
    const other = createServer((socket) => {
      connected += 1;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(other, "listening");
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true });
    const looks = vi.fn(() => child.pid ?? null);
    const joined = joinServer(looks);
    atEnd(async () => {
      joined.close();
      child.kill("SIGKILL");
      other.close();
      await once(other, "close");
    });
    await waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(3));
    expect(connected).toBe(0);
  });
});
