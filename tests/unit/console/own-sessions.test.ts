/** A session that an agent started ends with us, and is started again where its program's file says so, and not for ever. */
import { expect, it } from "vitest";
import { IDLE_MS, OwnSessions, RESTARTS_MAX, type StartedRun } from "../../../src/console/own-sessions.js";
import { AtlasBridgeError } from "../../../src/model/errors.js";
import { ManualClock } from "../../../src/observe/clock.js";
import type { TerminalExit } from "../../../src/worker/process/terminal.js";

const SEGV: TerminalExit = { exitCode: 139, signal: null, signalName: null };
const DONE: TerminalExit = { exitCode: 0, signal: null, signalName: null };

interface FakeRun extends StartedRun {
  readonly label: string;
  readonly command: readonly string[];
  readonly killed: NodeJS.Signals[];
  end(exit: TerminalExit): void;
}

const STATUS = { program: "bash", mode: null, level: null, cwd: null, running: null };

const REFUSED = new AtlasBridgeError("ATB_HUB_REFUSED", "nothing was started: bash is not listed");

function start(
  restartOn: readonly ("crash" | "idle_timeout")[],
  isReady = () => true,
  admit: () => Promise<void> = () => Promise.resolve(),
) {
  const clock = new ManualClock();
  const runs: FakeRun[] = [];
  const sessions = new OwnSessions({
    clock,
    admit,
    createLabel: () => `agent-${runs.length}`,
    findRestarts: () => Promise.resolve(restartOn),
    list: () =>
      Promise.resolve(
        runs
          .filter(({ alive }) => alive)
          .map(({ label }) => ({
            ...{ consoleId: `id-${label}`, tool: "bash", label, cwd: "/" },
            status: { ...STATUS, ready: isReady() },
          })),
      ),
    open: (label, command) => {
      let alive = true;
      let resolve: (exit: TerminalExit) => void = () => undefined;
      const exited = new Promise<TerminalExit>((done) => (resolve = done));
      const killed: NodeJS.Signals[] = [];
      const end = (exit: TerminalExit): void => {
        alive = false;
        resolve(exit);
      };
      const run: FakeRun = {
        label,
        command,
        killed,
        exited,
        end,
        get alive() {
          return alive;
        },
        kill: (signal) => {
          killed.push(signal);
          end({ exitCode: 0, signal: null, signalName: null });
        },
        describeScreen: () => "no such program",
      };
      runs.push(run);
      return Promise.resolve(run);
    },
  });
  return { clock, runs, sessions };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("starts a crashed program again, and says which session took its place", async () => {
  const { runs, sessions } = start(["crash"]);
  expect((await sessions.start("gdb", [])).consoleId).toBe("id-agent-0");
  runs[0]?.end(SEGV);
  await settle();
  expect(runs.map(({ command }) => command)).toEqual([["gdb"], ["gdb"]]);
  expect(sessions.findSuccessor("id-agent-0")).toBe("id-agent-1");
  expect(sessions.findSuccessor("id-agent-1")).toBeNull();
});

it.each([
  ["ended by itself", ["crash"], [], DONE],
  ["was started with arguments, whose effects were allowed once", ["crash"], ["script.py"], SEGV],
  ["has a file that does not say so", [], [], SEGV],
] as const)("starts none again that %s", async (_what, restartOn, args, exit) => {
  const { runs, sessions } = start(restartOn);
  await sessions.start("python", args);
  runs[0]?.end(exit);
  await settle();
  expect(runs).toHaveLength(1);
});

it("gives up on a program that crashes again and again", async () => {
  const { runs, sessions } = start(["crash"]);
  await sessions.start("gdb", []);
  for (let crashes = 0; crashes < RESTARTS_MAX + 2; crashes++) {
    runs.at(-1)?.end(SEGV);
    await settle();
  }
  expect(runs).toHaveLength(1 + RESTARTS_MAX);
});

it("starts a program afresh that nobody used for an hour", async () => {
  const { clock, runs, sessions } = start(["idle_timeout"]);
  await sessions.start("gdb", []);
  clock.advance(IDLE_MS - 1);
  sessions.noteUse("id-agent-0");
  clock.advance(IDLE_MS - 1);
  expect(runs[0]?.killed).toEqual([]);
  clock.advance(1);
  await settle();
  expect(runs[0]?.killed).toEqual(["SIGTERM"]);
  expect(sessions.findSuccessor("id-agent-0")).toBe("id-agent-1");
});

it("ends them all, and starts none again then", async () => {
  const { runs, sessions } = start(["crash", "idle_timeout"]);
  await sessions.start("gdb", []);
  await sessions.start("bash", []);
  await sessions.end();
  await settle();
  expect(runs.map(({ killed }) => killed)).toEqual([["SIGTERM"], ["SIGTERM"]]);
});

it("gives no session whose program has not shown a prompt", async () => {
  const { clock, runs, sessions } = start([], () => false);
  const started = sessions.start("bash", ["-c", "make"]);
  const refused = expect(started).rejects.toThrow("it showed no prompt");
  await settle();
  runs[0]?.end(DONE);
  clock.advance(1_000);
  await refused;
});

it("gives a session once its program has shown its prompt", async () => {
  let isReady = false;
  const { clock, sessions } = start([], () => isReady);
  const started = sessions.start("bash", []);
  await settle();
  isReady = true;
  clock.advance(1_000);
  expect((await started).consoleId).toBe("id-agent-0");
});

it("starts nothing that may no longer be started, also not again after a crash", async () => {
  let isListed = false;
  const admit = () => (isListed ? Promise.resolve() : Promise.reject(REFUSED));
  const { runs, sessions } = start(["crash"], () => true, admit);
  await expect(sessions.start("bash", [])).rejects.toThrow("bash is not listed");
  expect(runs).toEqual([]);
  isListed = true;
  await sessions.start("bash", []);
  isListed = false;
  runs[0]?.end(SEGV);
  await settle();
  expect(runs).toHaveLength(1);
});

it.each([
  ["it may no longer be started", REFUSED, "it may no longer be started"],
  ["the hub is lost", new AtlasBridgeError("ATB_WIRE_LOST", "the connection was lost"), "was lost"],
])("ends a program that has shown no prompt once %s, and says so", async (_what, error, told) => {
  let calls = 0;
  const admit = () => (calls++ === 0 ? Promise.resolve() : Promise.reject(error));
  const { runs, sessions } = start([], () => false, admit);
  await expect(sessions.start("bash", [])).rejects.toThrow(told);
  expect(runs[0]?.killed).toEqual(["SIGHUP"]);
});
