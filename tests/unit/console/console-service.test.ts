/** A session's console: a command that is given twice under one id is typed once, and its end can be asked for later. */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../src/observe/clock.js";
import { ConsoleService, type ConsoleServiceOptions } from "../../../src/console/console-service.js";
import {
  buildRefusal,
  type CommandResult,
} from "../../../src/worker/runtimes/program/output/command-result.js";
import { readShipped } from "../../support/program/open.js";

const CURRENT = { cwd: "/tmp", mode: null, level: null, captures: {}, isProven: true };

function makeResult(over: Partial<CommandResult>): CommandResult {
  return { ...buildRefusal("", CURRENT), id: "c1", state: "finished", ...over };
}

function startConsole(own: Partial<ConsoleServiceOptions["program"]> = {}) {
  const clock = new ManualClock();
  const typed: string[] = [];
  const inputs: string[] = [];
  const halts: string[] = [];
  const modes: unknown[] = [];
  let end: (result: CommandResult) => void = () => undefined;
  let pending: Promise<CommandResult> | null = null;
  const running = makeResult({ state: "running" });
  const session: ConsoleServiceOptions["session"] = {
    run: (command, { mode }) => {
      modes.push(mode);
      if (pending !== null) return Promise.resolve(buildRefusal("another command is still running", CURRENT));
      typed.push(command);
      pending = new Promise((resolve) => (end = resolve));
      void pending.then(() => (pending = null));
      return Promise.resolve(running);
    },
    wait: () => Promise.race([pending ?? Promise.resolve(null), Promise.resolve(running)]),
    press: () => Promise.resolve(null),
    sendInput: (text) => {
      inputs.push(text);
      return Promise.resolve(text === "refused" ? "nothing reads" : null);
    },
    halt: (reason) => void halts.push(reason),
    shutDown: () => Promise.resolve(),
    get running() {
      return pending && { id: "c1", latest: "half" };
    },
    get pending() {
      return pending;
    },
    current: CURRENT,
    phase: "prompt",
  };
  const program = { name: "bash", ...own } as ConsoleServiceOptions["program"];
  const service = new ConsoleService({ session, program, clock, forAgents: false, readScreen: () => "" });
  return {
    service,
    clock,
    typed,
    inputs,
    halts,
    modes,
    end: (exitCode: number) => end(makeResult({ exitCode })),
    refuse: (note: string) => end(makeResult({ state: "refused", note })),
  };
}

const run = (commandId: string, command = "make") => ({ commandId, command, timeoutMs: 10 });
const wait = (commandId?: string) => ({ action: "wait", timeoutMs: 10, commandId }) as const;

describe("the console of a session", () => {
  it("types a command once, however often it is given", async () => {
    const { service, typed, end } = startConsole();
    expect(await service.run(run("a"))).toMatchObject({ state: "running" });
    expect(await service.run(run("a"))).toMatchObject({ state: "running" });
    end(3);
    await service.act(wait("a"));
    expect(await service.run(run("a"))).toMatchObject({ state: "finished", exitCode: 3 });
    expect(typed).toEqual(["make"]);
  });

  it("gives the end of a command to whoever asks for it by its id, as often as they ask", async () => {
    const { service, end } = startConsole();
    await service.run(run("a"));
    expect((await service.act(wait("a"))).result).toMatchObject({ state: "running" });
    end(0);
    for (let asked = 0; asked < 2; asked++)
      expect((await service.act(wait("a"))).result).toMatchObject({ state: "finished", exitCode: 0 });
  });

  it("knows nothing of a command that it never got", async () => {
    expect((await startConsole().service.act(wait("never"))).result).toBeNull();
  });

  it("refuses a second command, and keeps that refusal apart from the first", async () => {
    const { service, end } = startConsole();
    await service.run(run("a"));
    expect(await service.run(run("b", "echo"))).toMatchObject({ state: "refused" });
    end(0);
    expect((await service.act(wait("b"))).result).toMatchObject({ state: "refused" });
    expect((await service.act(wait("a"))).result).toMatchObject({ exitCode: 0 });
  });

  it("types a command once, whatever is refused while it runs", async () => {
    const { service, typed, end } = startConsole();
    await service.run(run("a"));
    for (let n = 0; n < 100; n++)
      expect(await service.run(run(`other ${n}`, "true"))).toMatchObject({ state: "refused" });
    end(0);
    expect(await service.run(run("a"))).toMatchObject({ state: "finished", exitCode: 0 });
    expect(typed).toEqual(["make"]);
  });

  it("does not type again what it has typed before a hundred others, also where its result is gone", async () => {
    const { service, clock, typed, end } = startConsole();
    for (let n = 0; n < 100; n++) {
      await service.run(run(`c${n}`, `echo ${n}`));
      end(0);
      await service.act(wait(`c${n}`));
    }
    expect(await service.run(run("c99", "echo 99"))).toMatchObject({ state: "finished" });
    const gone = { state: "refused", note: expect.stringContaining("it was typed before") as unknown };
    expect(await service.run(run("c0", "echo 0"))).toMatchObject(gone);
    clock.advance(9 * 60_000);
    expect(await service.run(run("c1", "echo 1"))).toMatchObject(gone);
    expect(typed.length).toBe(100);
    // Nobody asks again after that time.
    clock.advance(2 * 60_000);
    await service.run(run("new"));
    end(0);
    await service.act(wait("new"));
    expect(await service.run(run("c2", "echo 2"))).toMatchObject({ state: "running" });
  });

  it("refuses another command under the id of an earlier one", async () => {
    const { service, typed, end } = startConsole();
    await service.run(run("a"));
    for (const other of [run("a", "touch file"), { ...run("a"), directory: "/" }])
      expect(await service.run(other)).toMatchObject({
        state: "refused",
        note: expect.stringContaining("another command") as unknown,
      });
    end(0);
    expect(await service.run(run("a"))).toMatchObject({ state: "finished", exitCode: 0 });
    expect(typed).toEqual(["make"]);
  });

  it("types an input once, whatever else is done meanwhile, and tries one again that was not typed", async () => {
    const { service, inputs } = startConsole();
    const input = (actId: string, text: string) =>
      service.act({ action: "input", actId, input: text, timeoutMs: 10 });
    await input("a", "yes");
    for (let n = 0; n < 100; n++) {
      await input(`other ${n}`, "refused");
      await service.act({ action: "screen", actId: `look ${n}`, timeoutMs: 10 });
      await service.act({ action: "interrupt", actId: `key ${n}`, timeoutMs: 10 });
    }
    expect(await input("a", "yes")).toMatchObject({ problem: null });
    expect(inputs.filter((each) => each === "yes").length).toBe(1);
    await input("other 0", "refused");
    expect(inputs.filter((each) => each === "refused").length).toBe(101);
  });

  it("offers a debugger's commands with the end of one, while it is open and at its prompt", async () => {
    const { service, modes, end, refuse } = startConsole(readShipped("gdb").program);
    expect(await service.run({ ...run("a", "bt"), mode: null })).not.toHaveProperty("offers");
    expect(await service.run(run("b", "run"))).not.toHaveProperty("offers");
    end(0);
    const { result } = await service.act(wait("a"));
    expect(result?.offers?.slice(0, 2)).toEqual([
      { label: "Step", command: "step" },
      { label: "Next", command: "next" },
    ]);
    expect(modes).toEqual([null, undefined]);
    // The debugger still waits where somebody was typing.
    await service.run(run("c", "bt"));
    refuse("somebody is typing at the terminal");
    expect((await service.act(wait("c"))).result?.offers).toHaveLength(7);
    service.set({ open: false });
    expect((await service.awaitEnd({ commandId: "a", timeoutMs: 0 })).result).not.toHaveProperty("offers");
  });

  it("types nothing while it is closed, and tells where its program stands", async () => {
    const { service, typed } = startConsole();
    service.set({ open: false });
    expect(await service.run(run("a"))).toMatchObject({ state: "refused" });
    expect(service.state).toMatchObject({ open: false, status: { program: "bash", cwd: "/tmp" } });
    expect(typed).toEqual([]);
  });

  it("types nothing more once the hub is lost, and a command that was not typed when the next hub asks for it", async () => {
    const { service, typed, halts, refuse } = startConsole();
    await service.run(run("a"));
    service.noteHubLost();
    expect(halts).toEqual(["the hub was lost meanwhile"]);
    refuse(halts[0] ?? "");
    for (let asked = 0; asked < 2; asked++)
      expect((await service.act(wait("a"))).result).toMatchObject({ state: "refused", note: halts[0] });
    expect((await service.awaitEnd({ commandId: "a", timeoutMs: 10 })).result).toMatchObject({
      state: "refused",
    });
    await service.run(run("a"));
    expect((await service.run(run("a"))).state).toBe("running");
    expect(typed).toEqual(["make", "make"]);
  });

  it("ends what waits when leave is taken back: paused, closed, or closed to agents", () => {
    const { service, halts } = startConsole();
    service.halt();
    service.set({ open: true, agents: true });
    service.set({ open: true, agents: true });
    expect(halts).toEqual(["AtlasBridge was paused"]);
    service.set({ open: true });
    service.set({ open: false });
    expect(halts.slice(1)).toEqual([
      "its console was closed to agents; give it again",
      "its console was closed",
    ]);
  });
});
