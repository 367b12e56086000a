/** What chats bring for a console whose worker is not connected yet: it keeps its order, and is not typed after a pause, a closing or a restart. */
import { describe, expect, it } from "vitest";
import { asId, type Identity, type SessionId } from "../../../../src/model/ids.js";
import { RETURN_LIMIT_MS } from "../../../../src/hub/console/await-link.js";
import type { WorkerLink } from "../../../../src/wire/connection-ends.js";
import { makeConsoleResult } from "../../../support/console-result.js";
import { turns } from "../fake-channel.js";
import { makeRig, sessionParams, type Rig, type RigOptions } from "../rig.js";

const CONSOLE = asId<SessionId>("33333333-3333-4333-8333-333333333333");
const PERSON = { sessionId: null };

/** The session's worker. It notes what is given to it, in order. */
class NotingWorker implements WorkerLink {
  readonly given: string[] = [];

  call(method: string, params: unknown): Promise<never> {
    const { command, action, input, open } = params as Record<string, string | undefined>;
    if (method === "console.run") {
      this.given.push(command ?? "");
      return Promise.resolve(makeConsoleResult({ state: "finished", exitCode: 0 }) as never);
    }
    if (method === "console.act" && action !== "wait") this.given.push(input ?? action ?? "");
    if (method === "console.set") this.given.push(open ? "on" : "off");
    const answer = { open: true, problem: null, result: null, text: null } as never;
    if (method !== "console.state") return Promise.resolve(answer);
    return new Promise((resolve) => setImmediate(() => resolve(answer)));
  }
}

async function openConsole(options: RigOptions = {}): Promise<Rig> {
  const rig = await makeRig({ ...options, unopened: true });
  const capabilities = { chatTurns: false, screenView: true, console: true };
  const params = sessionParams({ sessionId: CONSOLE, tool: "bash", label: "work", capabilities });
  await rig.core.handlers["session.open"](params, PERSON);
  return rig;
}

/** In the session's topic. */
async function write(
  rig: Rig,
  ...texts: (string | { readonly text: string; readonly sentAt: number })[]
): Promise<void> {
  const origin = { identity: asId<Identity>("chat:1"), displayName: "Ara", place: "p1", receivedAt: 0 };
  for (const each of texts) {
    const words = typeof each === "string" ? { text: each } : each;
    await rig.chat.receive({ kind: "text", ...words, about: CONSOLE, ...origin });
    await turns();
  }
}

async function connect(rig: Rig): Promise<NotingWorker> {
  const worker = new NotingWorker();
  rig.core.connected(CONSOLE, worker);
  await pass(rig, 1_000);
  return worker;
}

async function pass(rig: Rig, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    rig.clock.advance(50);
    await turns();
  }
}

function readSteps(rig: Rig): string[] {
  return [...rig.store.audit.readAfter(0)]
    .map(({ step }) => step)
    .filter((step) => /^console_(?:command|ended|refused)$/.test(step));
}

/** What is told of commands and keys. */
async function readTold(rig: Rig): Promise<string[]> {
  await pass(rig, 10_000);
  return rig.chat.texts().filter((text) => !text.startsWith("⌨️"));
}

describe("what a chat brings before its session is back", () => {
  it.each([[["interrupt", "make"]], [["> yes", "rm -i x"]], [["make", "interrupt", "> yes", "ls", "eof"]]])(
    "is given to the worker in its order: %j",
    async (texts) => {
      const rig = await openConsole();
      await write(rig, ...texts);
      const { given } = await connect(rig);
      expect(given).toEqual(texts.map((text) => text.replace("> ", "")));
    },
  );

  it.each(["make", "> yes", "interrupt"])(
    "is not typed after a pause, even if all goes on by then: %s",
    async (text) => {
      const rig = await openConsole();
      await write(rig, text, "/pause", "/resume");
      await write(rig, "ls");
      const { given } = await connect(rig);
      expect(given).toEqual(["ls"]);
      expect((await readTold(rig))[0]).toMatch(/othing was typed: AtlasBridge was paused\.$/);
      expect(readSteps(rig)).toEqual([
        "console_command",
        "console_refused",
        "console_command",
        "console_ended",
      ]);
    },
  );

  it("is not typed after its console was closed, even if it is open again by then", async () => {
    const rig = await openConsole();
    await write(rig, "make", "> yes");
    const worker = new NotingWorker();
    rig.core.connected(CONSOLE, worker);
    const set = (open: boolean) =>
      rig.core.handlers["console.set"]({ sessionId: CONSOLE, open, agents: false }, PERSON);
    await set(false);
    await set(true);
    await pass(rig, 1_000);
    expect(worker.given).toEqual(["off", "on"]);
    expect(await readTold(rig)).toEqual([
      "⚠️ work: “make”\nNothing was typed: its console was closed.",
      "⚠️ work: nothing was typed: its console was closed.",
    ]);
  });

  it("leaves what waits for other sessions alone where one console is closed", async () => {
    const rig = await openConsole();
    await write(rig, "make");
    const other = asId<SessionId>("44444444-4444-4444-8444-444444444444");
    await rig.core.handlers["session.open"](
      sessionParams({
        sessionId: other,
        capabilities: { chatTurns: false, screenView: true, console: true },
      }),
      PERSON,
    );
    rig.core.connected(other, new NotingWorker());
    await rig.core.handlers["console.set"]({ sessionId: other, open: false, agents: false }, PERSON);
    expect((await connect(rig)).given).toEqual(["make"]);
  });

  it("has no end on record before it is given to its worker", async () => {
    const rig = await openConsole();
    await write(rig, "> yes");
    const worker = new NotingWorker();
    rig.core.connected(CONSOLE, worker);
    expect(readSteps(rig)).toEqual(["console_command"]);
    await pass(rig, 1_000);
    expect(worker.given).toEqual(["yes"]);
    expect(readSteps(rig)).toEqual(["console_command"]);
  });

  it("is said not to be typed where its session is not back in time, and is not typed later", async () => {
    const rig = await openConsole();
    await write(rig, "make", "> yes");
    await pass(rig, RETURN_LIMIT_MS + 100);
    const { given } = await connect(rig);
    expect(given).toEqual([]);
    expect(await readTold(rig)).toEqual([
      "⚠️ work: “make”\nNothing was typed: its AtlasBridge is not connected to the hub.",
      "⚠️ work: nothing was typed: its AtlasBridge is not connected to the hub.",
    ]);
    expect(readSteps(rig).slice(2)).toEqual(["console_refused", "console_refused"]);
  });

  it("is said not to be typed where the hub is restarted before", async () => {
    const first = await openConsole();
    await write(first, "make");
    await first.core.stop();
    const { path, chat, clock } = first;
    const rig = await openConsole({ path, chat, clock });
    const { given } = await connect(rig);
    expect(given).toEqual([]);
    expect(await readTold(rig)).toEqual([
      "⚠️ work: “make”\nNothing was typed: the hub was restarted before.",
    ]);
    expect(readSteps(rig)).toEqual(["console_command", "console_refused"]);
  });

  it("is said not to be typed, and not to be unknown, where it is a key or a line and its hub or session goes", async () => {
    const untyped = (action: string): string =>
      `⚠️ ${action}: nothing was typed, as it never reached the session.`;
    const first = await openConsole();
    await write(first, "interrupt", "> yes");
    await first.core.stop();
    const { path, chat, clock } = first;
    const second = await openConsole({ path, chat, clock });
    expect((await connect(second)).given).toEqual([]);
    expect(await readTold(second)).toEqual([untyped("interrupt"), untyped("input")]);

    const ended = await openConsole();
    await write(ended, "> yes");
    await ended.core.handlers["session.close"](
      { sessionId: CONSOLE, exitCode: 0, signal: null },
      { sessionId: CONSOLE },
    );
    await pass(ended, 6_000);
    expect((await readTold(ended)).filter((text) => text.includes("nothing was typed"))).toEqual([
      untyped("input"),
    ]);
    for (const rig of [second, ended]) {
      expect(readSteps(rig)).toContain("console_refused");
      expect(readSteps(rig)).not.toContain("console_ended");
    }
  });

  it("is not typed where its service brings it after a newer one, also after a restart in between", async () => {
    const first = await openConsole();
    const at = first.clock.now();
    await write(first, { text: "make", sentAt: at - 2 }, { text: "ls", sentAt: at - 1 });
    expect((await connect(first)).given).toEqual(["make", "ls"]);
    await first.core.stop();
    const { path, chat, clock } = first;
    const rig = await openConsole({ path, chat, clock });
    await write(rig, { text: "cd sub", sentAt: at - 3 }, { text: "> y", sentAt: at - 2 });
    await write(rig, { text: "pwd", sentAt: at - 1 });
    expect((await connect(rig)).given).toEqual(["pwd"]);
    const late = "othing was typed: it came late, after a newer one; write it again if it still matters.";
    expect((await readTold(rig)).filter((text) => text.startsWith("⚠️"))).toEqual([
      `⚠️ work: “cd sub”\nN${late}`,
      `⚠️ work: n${late}`,
    ]);
    expect(readSteps(rig).filter((step) => step === "console_refused")).toHaveLength(2);
  });

  it("is not typed more than ten minutes after it was written", async () => {
    const rig = await openConsole();
    const at = rig.clock.now();
    await write(
      rig,
      { text: "make deploy", sentAt: at - 11 * 60_000 },
      { text: "make", sentAt: at - 9 * 60_000 },
    );
    expect((await connect(rig)).given).toEqual(["make"]);
    expect((await readTold(rig))[0]).toBe(
      "⚠️ work: “make deploy”\nNothing was typed: it was written 11 min ago; write it again if it still matters.",
    );
  });

  it("is said not to be typed where its session ends before", async () => {
    const rig = await openConsole();
    await write(rig, "make");
    const end = { sessionId: CONSOLE, exitCode: 0, signal: null };
    await rig.core.handlers["session.close"](end, { sessionId: CONSOLE });
    expect((await connect(rig)).given).toEqual([]);
    expect(await readTold(rig)).toContain("⚠️ “make”\nNothing was typed: the session ended.");
    expect(readSteps(rig)).toEqual(["console_command", "console_refused"]);
  });
});

it("a command that the former hub had given to its worker is not said to be untyped", async () => {
  const first = await openConsole();
  const worker = new NotingWorker();
  worker.call = () => new Promise(() => undefined);
  first.core.connected(CONSOLE, worker);
  await write(first, "make");
  await first.core.stop();
  const { path, chat, clock } = first;
  const rig = await openConsole({ path, chat, clock });
  await connect(rig);
  expect((await readTold(rig)).at(-1)).toMatch(/^❔ work: “make”\nIt is not known what became of it: /);
  expect(readSteps(rig)).toEqual(["console_command", "console_ended"]);
});
