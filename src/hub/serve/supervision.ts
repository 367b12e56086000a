/**
 * Whether a process belongs to a supervised tool (ADR 9), which must never answer its own prompts. It is recognized by its
 * ancestors, by its session leader and by the environment mark that children inherit. A tool that started its own worker
 * carries no mark, so all terminal sessions from the worker up to the one with a terminal count as the tool.
 */
import type { SessionId } from "../../model/ids.js";
import { GENERATIONS_MAX, type ReadProcess } from "../../observe/process-facts.js";

/** The process of an open session, as the kernel reported it when the session was opened. */
export interface Worker {
  readonly sessionId: SessionId;
  readonly pid: number;
  readonly startTime: string | null;
  readonly underTool: boolean;
}

/** What belongs to tools: the processes below these workers, and everything in and below these terminal sessions. */
interface Supervised {
  readonly workers: ReadonlySet<number>;
  readonly sessions: ReadonlySet<number>;
}

/** A process that cannot be inspected counts as supervised; its ancestors may be, because login processes belong to others. */
export function isSupervised(pid: number, workers: readonly Worker[], read: ReadProcess): boolean {
  const self = read(pid);
  if (self === null || self.mark !== null || self.isClosed === true) return true;
  const under = workers.filter(({ underTool }) => underTool);
  const sessions = under.map((worker) => findSessionsAbove(worker, read));
  if (sessions.includes(null)) return true;
  // A tool's command that left its parents and its session differs from a user's only by its missing terminal.
  if (under.length > 0 && !self.hasTerminal) return true;
  const supervised = {
    workers: new Set(workers.map((worker) => worker.pid)),
    sessions: new Set(sessions.flatMap((above) => above ?? [])),
  };
  return descends(pid, supervised, read) || leaderDescends(self.leader, pid, supervised, read);
}

/** The session whose tool the process is part of, or whose worker started it: that of the nearest worker among its ancestors. */
export function findSupervisor(pid: number, workers: readonly Worker[], read: ReadProcess): SessionId | null {
  const byPid = new Map(workers.map((worker) => [worker.pid, worker]));
  let at = read(pid)?.parent ?? 0;
  for (let generation = 0; at > 1 && generation < GENERATIONS_MAX; generation++) {
    const worker = byPid.get(at);
    if (worker) return worker.sessionId;
    at = read(at)?.parent ?? 0;
  }
  return null;
}

/**
 * The terminal sessions of the tool that started this worker. A wrapper may have put the worker in its own session, but people
 * start tools at a terminal: the first session with a terminal contains the tool. Null if it cannot be determined.
 */
function findSessionsAbove({ pid }: Worker, read: ReadProcess): readonly number[] | null {
  const leaders: number[] = [];
  let at = read(pid)?.parent ?? 0;
  while (at > 1 && leaders.length < GENERATIONS_MAX) {
    const facts = read(at);
    if (facts === null) return null;
    leaders.push(facts.leader);
    if (facts.hasTerminal) return leaders;
    at = facts.parent;
  }
  return null;
}

/** A leader that has exited cannot be read and supervises nothing; shells leave such sessions behind every day. */
function leaderDescends(leader: number, pid: number, supervised: Supervised, read: ReadProcess): boolean {
  const facts = leader === pid || leader <= 1 ? null : read(leader);
  return facts !== null && (facts.mark !== null || descends(leader, supervised, read));
}

function descends(pid: number, { workers, sessions }: Supervised, read: ReadProcess): boolean {
  let at = pid;
  for (let generation = 0; generation < GENERATIONS_MAX; generation++) {
    const facts = read(at);
    // An ancestor that exited between two reads has passed its children to another process.
    if (facts === null) return true;
    if (sessions.has(facts.leader)) return true;
    if (facts.parent <= 1) return false;
    if (workers.has(facts.parent)) return true;
    at = facts.parent;
  }
  return true;
}
