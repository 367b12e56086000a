/**
 * A task is typed only into an input box that is proved empty, once, and with permission of its gate. Otherwise nothing is typed and
 * the sender is told why.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { loadAdapter } from "../../../../../src/plugins/adapters/adapters.js";
import type { InjectionResult } from "../../../../../src/sdk/adapter.js";
import { Screen } from "../../../../../src/worker/screen/screen.js";
import { PtyAdapter } from "../../../../../src/worker/runtimes/terminal/pty-adapter.js";
import { ptyOptions, SESSION_ID } from "../../../../support/pty-options.js";

const AGENT = "tests/fixtures/agents/takes-tasks.mjs";

async function start(...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "atb-task-"));
  const log = join(folder, "log");
  const adapter = new PtyAdapter(ptyOptions(await loadAdapter("claude", { adaptersDir: "none" })));
  await adapter.startSession([process.execPath, AGENT, log, ...args]);
  const reading = (async () => {
    for await (const chunk of adapter.readStream()) if (chunk.length === 0) break;
  })();
  onTestFinished(async () => {
    await adapter.terminateSession(SESSION_ID);
    await reading;
    rmSync(folder, { recursive: true, force: true });
  });
  await isIdle(adapter);
  return {
    adapter,
    tasks: () => {
      try {
        return readFileSync(log, "utf8")
          .trim()
          .split("\n")
          .map((line) => (JSON.parse(line) as { task: string }).task);
      } catch {
        return [];
      }
    },
  };
}

async function isIdle(adapter: PtyAdapter): Promise<void> {
  await expect.poll(async () => (await adapter.snapshotContext())["toolState"]).toBe("idle");
}

it("a task goes into the empty input box, once, when its gate allows it, and its effect is seen", async () => {
  const { adapter, tasks } = await start();
  expect(adapter.capabilities.chatTurns).toBe(true);
  const seenAtGate: string[][] = [];
  const gate = (): Promise<void> => {
    seenAtGate.push(tasks());
    return Promise.resolve();
  };
  const result = await adapter.taskInput.submit("fix the tests\nand the docs", gate);
  expect(result).toMatchObject({ kind: "receipt", receipt: { outcome: "answered", route: "keys" } });
  expect(seenAtGate).toEqual([[]]);
  expect(tasks()).toEqual(["fix the tests\nand the docs"]);
  // It may not have drawn yet that it works; a hub tries again as well.
  const again = async (): Promise<string> => {
    const { kind } = await adapter.taskInput.submit("once more", gate);
    return kind;
  };
  await expect.poll(again).toBe("receipt");
  expect(tasks()).toEqual(["fix the tests\nand the docs", "once more"]);
});

it("many tasks leave no more listeners on the screen than one task", async () => {
  const listens = vi.spyOn(Screen.prototype, "onChange");
  onTestFinished(() => listens.mockRestore());
  const { adapter, tasks } = await start();
  const give = async (text: string): Promise<void> => {
    const given = async (): Promise<string> =>
      (await adapter.taskInput.submit(text, () => Promise.resolve())).kind;
    await expect.poll(given).toBe("receipt");
  };
  await give("one");
  const before = listens.mock.calls.length;
  await give("two");
  await give("three");
  expect(tasks()).toEqual(["one", "two", "three"]);
  expect(listens.mock.calls.length).toBe(before);
});

it("nothing is typed when the gate refuses", async () => {
  const { adapter, tasks } = await start();
  const result = await adapter.taskInput.submit("x", () => Promise.reject(new Error("not recorded")));
  expect(result).toMatchObject({ kind: "refused", rejection: { code: "not_recorded" } });
  expect(tasks()).toEqual([]);
});

it("nothing is added to a draft, and the draft stays as it is", async () => {
  const { adapter, tasks } = await start("delete all of");
  let asked = 0;
  const gate = (): Promise<void> => Promise.resolve(void (asked += 1));
  const result = await adapter.taskInput.submit("it", gate);
  expect(result).toMatchObject({ kind: "refused", rejection: { code: "draft" } });
  expect([asked, tasks()]).toEqual([0, []]);
  adapter.session.typeKeys(Buffer.from("\r"), true);
  await expect.poll(tasks).toEqual(["delete all of"]);
});

it("a draft is cleared for a task whose sender was shown exactly that draft, and not for another one", async () => {
  const { adapter, tasks } = await start("delete all of\nthe old files");
  const gate = (): Promise<void> => Promise.resolve();
  const draft = adapter.taskInput.draft();
  expect(draft?.text).toBe("delete all of\nthe old files");
  const other = await adapter.taskInput.submit("go on", gate, { clears: "0".repeat(64) });
  expect(other).toMatchObject({ kind: "refused", rejection: { code: "draft" } });
  // Somebody goes on with the draft: the leave was for what stood there before.
  adapter.session.typeKeys(Buffer.from("!"), true);
  await expect.poll(() => adapter.taskInput.draft()?.text).toMatch(/files!$/);
  const changed = await adapter.taskInput.submit("go on", gate, { clears: draft!.hash });
  expect(changed).toMatchObject({ kind: "refused", rejection: { code: "draft" } });
  expect(tasks()).toEqual([]);
  const { hash } = adapter.taskInput.draft()!;
  const result = await adapter.taskInput.submit("go on", gate, { clears: hash });
  expect(result).toMatchObject({ kind: "receipt", receipt: { outcome: "answered" } });
  expect(tasks()).toEqual(["go on"]);
});

it("nothing is cleared where nothing stands, nor before its gate", async () => {
  const { adapter, tasks } = await start("half typed");
  const { hash } = adapter.taskInput.draft()!;
  const refusing = (): Promise<void> => Promise.reject(new Error("not recorded"));
  const refused = await adapter.taskInput.submit("go on", refusing, { clears: hash });
  expect(refused).toMatchObject({ kind: "refused", rejection: { code: "not_recorded" } });
  expect(adapter.taskInput.draft()?.hash).toBe(hash);
  adapter.session.typeKeys(Buffer.from("\r"), true);
  await expect.poll(tasks).toEqual(["half typed"]);
  // Its Ctrl-C would end the agent.
  const given = async (): Promise<string> =>
    (await adapter.taskInput.submit("go on", () => Promise.resolve(), { clears: hash })).kind;
  await expect.poll(given).toBe("receipt");
  expect(tasks()).toEqual(["half typed", "go on"]);
  expect(adapter.taskInput.draft()).toBeNull();
});

it.each(["!rm -rf .", "/clear", " \n#remember", "exit", " Quit\n"])(
  "%j is a command of the tool's own box, and is not typed",
  async (text) => {
    const { adapter, tasks } = await start();
    const result = await adapter.taskInput.submit(text, () => Promise.resolve());
    expect(result).toMatchObject({ kind: "refused", rejection: { code: "composer_command" } });
    expect(tasks()).toEqual([]);
  },
);

it("nothing is typed while the tool works", async () => {
  const { adapter, tasks } = await start();
  const none = (): Promise<void> => Promise.resolve();
  await adapter.taskInput.submit("first", none);
  const second = await adapter.taskInput.submit("second", none);
  // On a slow machine the first may be done by now.
  if (second.kind === "refused") expect([second.rejection.code, tasks()]).toEqual(["not_idle", ["first"]]);
  else expect(tasks()).toEqual(["first", "second"]);
});

it("a task that the tool does not take is reported as not taken", async () => {
  const { adapter, tasks } = await start("", "deaf");
  const result = await adapter.taskInput.submit("go on", () => Promise.resolve());
  expect(result).toMatchObject({ kind: "receipt", receipt: { outcome: "uncertain" } });
  expect(tasks()).toEqual([]);
});

it("a tool whose adapter describes no input box takes no tasks", async () => {
  const adapter = new PtyAdapter(ptyOptions(await loadAdapter("generic", { adaptersDir: "none" })));
  expect(adapter.capabilities.chatTurns).toBe(false);
  await adapter.startSession(["sh", "-c", "read line"]);
  const submit = (): Promise<InjectionResult> => adapter.taskInput.submit("x", () => Promise.resolve());
  expect(await submit()).toMatchObject({ rejection: { code: "no_composer" } });
  adapter.session.terminal.kill("SIGKILL");
  await adapter.session.exited;
  expect(await submit()).toMatchObject({ rejection: { code: "session_gone" } });
});
