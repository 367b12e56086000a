/** What the chat reads of a command that goes on holds in whatever becomes of it: seen to its end, not seen, doubted, closed off, forgotten. */
import { describe, expect, it } from "vitest";
import { asId, type SessionId } from "../../../../src/model/ids.js";
import type { WorkerLink } from "../../../../src/wire/connection-ends.js";
import { makeConsoleResult } from "../../../support/console-result.js";
import { turns } from "../fake-channel.js";
import { makeRig, sessionParams, type Rig } from "../rig.js";

const CONSOLE = asId<SessionId>("33333333-3333-4333-8333-333333333333");
const PERSON = { sessionId: null };
const running = (note = "") => makeConsoleResult({ state: "running", exitCode: null, note });
const DOUBT = "nothing is seen of it: either it waits, or it has ended";
const CLOSED = { problem: "its console is closed", result: null, text: null };

/** The session's worker. Each wait is answered by the test. */
class ScriptedWorker implements WorkerLink {
  first = running();
  readonly asked: string[] = [];
  #answer: (answer: object) => void = () => undefined;

  call(method: string): Promise<never> {
    this.asked.push(method);
    if (method === "console.run") return Promise.resolve(this.first as never);
    if (method === "console.state") return Promise.resolve({ open: true, problem: null } as never);
    if (method !== "console.end" && method !== "console.act") return Promise.resolve({} as never);
    return new Promise((resolve) => (this.#answer = (answer) => resolve(answer as never)));
  }

  async say(answer: object): Promise<void> {
    this.#answer(answer);
    await turns();
  }

  wait(result: object): Promise<void> {
    return this.say({ problem: null, result, text: null });
  }
}

/** Its worker is not connected yet. */
async function openConsole(): Promise<Rig> {
  const rig = await makeRig();
  const capabilities = { chatTurns: false, screenView: true, console: true };
  const params = sessionParams({ sessionId: CONSOLE, tool: "bash", label: "work", capabilities });
  await rig.core.handlers["session.open"](params, PERSON);
  return rig;
}

async function giveCommand(first = running()): Promise<{ rig: Rig; worker: ScriptedWorker }> {
  const rig = await openConsole();
  const worker = new ScriptedWorker();
  worker.first = first;
  rig.core.connected(CONSOLE, worker);
  await rig.chat.text("$ make");
  await turns();
  return { rig, worker };
}

/** What is posted of the command, each with what was said behind it later. */
async function read(rig: Rig): Promise<string[]> {
  rig.clock.advance(10_000);
  await turns();
  return rig.chat.messages
    .map(({ notice, outcome }) => [JSON.stringify(notice), outcome?.text ?? ""] as const)
    .filter(([text]) => text.includes("“make”"))
    .map(([text, outcome]) => `${text} → ${outcome}`);
}

describe("a command that goes on", () => {
  it("has its end told once it is seen", async () => {
    const { rig, worker } = await giveCommand();
    const [line, ...others] = await read(rig);
    expect(line).toMatch(/⏳ work: “make” goes on\. Its end comes here once it is seen\..* → $/);
    expect(others).toEqual([]);
    await worker.wait(running());
    expect(await read(rig)).toHaveLength(1);
    await worker.wait(makeConsoleResult({ exitCode: 0 }));
    const [settled, end] = await read(rig);
    expect(settled).toMatch(/→ ✔️ It has ended\.$/);
    expect(end).toContain("✅ work: “make”");
  });

  it("promises no end where it may have ended unseen", async () => {
    const { rig, worker } = await giveCommand(running(DOUBT));
    const [line] = await read(rig);
    expect(line).toContain(`⏳ work: “make” may go on: ${DOUBT}. Its end comes here only if it is seen.`);
    await worker.wait(running(DOUBT));
    expect(await read(rig)).toHaveLength(1);
  });

  it("has the doubt told when it comes, once, in place of the promise", async () => {
    const { rig, worker } = await giveCommand();
    await worker.wait(running(DOUBT));
    for (const note of [DOUBT, "", DOUBT]) await worker.wait(running(note));
    const [promise, doubt, ...others] = await read(rig);
    expect(promise).toMatch(/goes on\. .* → ❔ It may have ended: see below\.$/);
    expect(doubt).toMatch(/may go on: .* → $/);
    expect(others).toEqual([]);
    await worker.wait(makeConsoleResult({ exitCode: 3 }));
    const [, settled, end] = await read(rig);
    expect(settled).toMatch(/→ ✔️ It has ended\.$/);
    expect(end).toContain("❌ work: “make”");
  });

  it("has its end told also where its console was closed meanwhile", async () => {
    const { rig, worker } = await giveCommand();
    await worker.say(CLOSED);
    expect(worker.asked.at(-1)).toBe("console.end");
    expect(await read(rig)).toHaveLength(1);
    await worker.say({ result: makeConsoleResult({ exitCode: 0 }) });
    expect((await read(rig))[1]).toContain("✅ work: “make”");
  });

  it("is said not to be known where its worker knows nothing of it", async () => {
    const { rig, worker } = await giveCommand();
    await worker.say({ ...CLOSED, problem: null });
    await worker.say({ result: null });
    const [line, end] = await read(rig);
    expect(line).toMatch(/→ ❔ Its end was not seen\.$/);
    expect(end).toContain(
      "It is not known what became of it: its AtlasBridge never got the command, or has forgotten it.",
    );
  });

  it("is said not to have been seen to its end where the session ends first", async () => {
    const { rig } = await giveCommand();
    await rig.core.handlers["session.close"](
      { sessionId: CONSOLE, exitCode: 0, signal: null },
      { sessionId: CONSOLE },
    );
    const [line, end] = await read(rig);
    expect(line).toMatch(/→ ❔ Its end was not seen\.$/);
    expect(end).toContain("▪️ “make”: the session ended before its end was seen.");
  });
});

describe("a command that a chat brings before its session is back at a new hub", () => {
  it.each([
    ["is run then", [], ["console.run"], "✅ work: “make”"],
    ["is not run if all was paused meanwhile", ["pause"], [], "⚠️ work: “make”"],
  ])("%s", async (_, words, calls, told) => {
    const rig = await openConsole();
    await rig.chat.text("$ make");
    for (const word of words) await rig.chat.text(word);
    const worker = new ScriptedWorker();
    worker.first = makeConsoleResult({ state: "finished", exitCode: 0 });
    rig.core.connected(CONSOLE, worker);
    await read(rig);
    expect(worker.asked.filter((method) => method.startsWith("console."))).toEqual(calls);
    const ends = await read(rig);
    expect(ends).toHaveLength(1);
    expect(ends[0]).toContain(told);
  });
});
