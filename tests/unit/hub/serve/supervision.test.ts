/**
 * A process that belongs to a supervised tool is refused as an answerer, also as an orphan, in a session of its own or behind a
 * wrapper (Linux).
 */
import { describe, expect, it } from "vitest";
import { isSupervised, findSupervisor, type Worker } from "../../../../src/hub/serve/supervision.js";
import { asId, type SessionId } from "../../../../src/model/ids.js";
import type { ProcessFacts, ReadProcess } from "../../../../src/observe/process-facts.js";

const INIT = 1;
const WORKER = 100;
const TOOL = 110;
const SHELL = 50;

function workerAt(pid: number, underTool = false): Worker {
  return { sessionId: asId<SessionId>("s1"), pid, startTime: null, underTool };
}

/** Processes by number: parent, session leader, and whether they carry the mark. */
function system(
  processes: Readonly<Record<number, [parent: number, leader: number, mark?: string]>>,
  atNoTerminal: readonly number[] = [],
): ReadProcess {
  return (pid) => {
    const found = processes[pid];
    const hasTerminal = !atNoTerminal.includes(pid);
    return found
      ? ({ parent: found[0], leader: found[1], hasTerminal, mark: found[2] ?? null } satisfies ProcessFacts)
      : null;
  };
}

const base = {
  [SHELL]: [INIT, SHELL],
  [WORKER]: [SHELL, SHELL],
  [TOOL]: [WORKER, TOOL, "s1"],
} as const;

function check(
  pid: number,
  more: Readonly<Record<number, [parent: number, leader: number, mark?: string]>>,
): boolean {
  return isSupervised(pid, [workerAt(WORKER)], system({ ...base, ...more } as never));
}

describe("a process that wants to answer", () => {
  it.each<[string, boolean, Parameters<typeof check>[1]]>([
    ["in another terminal may", false, { 7: [60, 60], 60: [INIT, 60] }],
    ["beside the worker in the user's own shell may", false, { 7: [SHELL, SHELL] }],
    ["of a session whose leader has ended may", false, { 7: [INIT, 61] }],
    ["started by the tool may not", true, { 7: [TOOL, TOOL, "s1"] }],
    ["that dropped the mark may not", true, { 7: [8, TOOL], 8: [TOOL, TOOL] }],
    ["that left its parents may not: its session's leader is the tool", true, { 7: [INIT, TOOL] }],
    ["that left parents and session may not: it kept the mark", true, { 7: [INIT, 7, "s1"] }],
    ["whose session's leader kept the mark may not", true, { 7: [INIT, 9], 9: [INIT, 9, "s1"] }],
    ["that is gone may not: nobody knows what it was", true, {}],
    ["whose parent ended while it was looked at may not", true, { 7: [8, 60], 60: [INIT, 60] }],
    ["among parents without end may not", true, { 7: [8, 60], 8: [7, 60], 60: [INIT, 60] }],
  ])("%s", (_, expected, processes) => {
    expect(check(7, processes)).toBe(expected);
  });
});

/** A tool that nobody supervises, in the user's shell, has started a worker and a command. */
describe("while a tool has started its worker itself, a process that wants to answer", () => {
  const AGENT = 200;
  const SERVER = 210;
  const COMMAND = 220;
  const processes = {
    [SHELL]: [INIT, SHELL],
    [AGENT]: [SHELL, SHELL],
    [SERVER]: [AGENT, SHELL],
    [COMMAND]: [AGENT, COMMAND],
  } as const;

  it.each<[string, boolean, Parameters<typeof check>[1], (readonly number[])?]>([
    ["in another terminal may", false, { 7: [60, 60], 60: [INIT, 60] }],
    ["started by the tool may not", true, { 7: [AGENT, SHELL] }],
    ["started by the tool in a session of its own may not", true, { 7: [COMMAND, COMMAND] }],
    ["started by its server may not", true, { 7: [SERVER, 7] }],
    ["in the tool's terminal may not: the tool can write there", true, { 7: [SHELL, SHELL] }],
    ["that left its parents may not: its session is the tool's", true, { 7: [INIT, SHELL] }],
    ["that left parents and session may not: nobody sits at it", true, { 7: [INIT, 7] }, [7]],
    [
      "may not once the tool has ended: nobody knows who it was",
      true,
      { 7: [60, 60], 60: [INIT, 60], [SERVER]: [INIT, SHELL] },
    ],
    [
      "may not where the tool cannot be looked at",
      true,
      { 7: [60, 60], 60: [INIT, 60], [SERVER]: [999, SHELL] },
    ],
  ])("%s", (_, expected, more, atNoTerminal = []) => {
    const read = system({ ...processes, ...more } as never, atNoTerminal);
    expect(isSupervised(7, [workerAt(SERVER, true)], read)).toBe(expected);
  });
});

/** As before, but the tool started its server by a wrapper that left its session, and its terminal with it. */
describe("while a tool's worker runs behind a wrapper in a session of its own, a process that wants to answer", () => {
  const [AGENT, WRAPPER, SERVER, DESKTOP] = [200, 205, 210, 20] as const;
  const processes = {
    [DESKTOP]: [INIT, DESKTOP],
    [SHELL]: [DESKTOP, SHELL],
    [AGENT]: [SHELL, SHELL],
    [WRAPPER]: [AGENT, WRAPPER],
    [SERVER]: [WRAPPER, WRAPPER],
  } as const;

  it.each<[string, boolean, Parameters<typeof check>[1], (readonly number[])?]>([
    ["in another terminal of the desktop may", false, { 7: [60, 60], 60: [DESKTOP, 60] }],
    ["started by the tool may not", true, { 7: [AGENT, SHELL] }],
    ["started by the tool in a terminal of its own may not", true, { 7: [AGENT, 7] }],
    ["that left its parents may not: its session is the tool's", true, { 7: [INIT, SHELL] }],
    ["started by the wrapper in a terminal of its own may not", true, { 7: [WRAPPER, 7] }],
    [
      "may not where the tool has no terminal: nobody knows where it ends",
      true,
      { 7: [60, 60], 60: [INIT, 60] },
      [DESKTOP, SHELL, AGENT],
    ],
    [
      "may not where the wrapper has ended: nobody knows who started it",
      true,
      { 7: [60, 60], 60: [DESKTOP, 60], [SERVER]: [DESKTOP, SERVER] },
    ],
    [
      "may not where those above the server never end",
      true,
      { 7: [60, 60], 60: [DESKTOP, 60], [WRAPPER]: [SERVER, WRAPPER] },
    ],
  ])("%s", (_, expected, more, atNoTerminal = []) => {
    const read = system({ ...processes, ...more } as never, [DESKTOP, WRAPPER, SERVER, ...atNoTerminal]);
    expect(isSupervised(7, [workerAt(SERVER, true)], read)).toBe(expected);
  });
});

describe("a process whose data may not be read", () => {
  /** A login is another user's process: what it was started with is hidden from an ordinary user. */
  const LOGIN = 40;
  const read = (closed: readonly number[]): ReadProcess => {
    const processes = { ...base, [LOGIN]: [INIT, LOGIN], 60: [LOGIN, 60], 7: [60, 60] } as const;
    const known = system(processes as never);
    return (pid) => {
      const facts = known(pid);
      return facts && { ...facts, isClosed: closed.includes(pid) };
    };
  };

  it("does not make the hub refuse a person whose login runs as another user", () => {
    expect(isSupervised(7, [workerAt(WORKER)], read([LOGIN]))).toBe(false);
  });

  it("is refused where it is the process that wants to answer", () => {
    expect(isSupervised(7, [workerAt(WORKER)], read([7]))).toBe(true);
  });
});

describe("the session that a process is part of", () => {
  it.each<[string, number, string | null]>([
    ["is that of the worker above it", 7, "s1"],
    ["is none for a process beside the worker", 8, null],
    ["is none for the worker itself", WORKER, null],
    ["is none for a process that is gone", 99, null],
  ])("%s", (_, pid, expected) => {
    const processes = { ...base, 7: [TOOL, 7], 8: [SHELL, SHELL] };
    expect(findSupervisor(pid, [workerAt(WORKER)], system(processes as never))).toBe(expected);
  });

  it("is that of the tool's own worker where that one has started it", () => {
    const processes = { ...base, 7: [TOOL, 7], 8: [7, 8] };
    const server = { ...workerAt(7, true), sessionId: asId<SessionId>("s2") };
    expect(findSupervisor(8, [workerAt(WORKER), server], system(processes as never))).toBe("s2");
  });
});
