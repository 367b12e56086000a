/**
 * Whether a process belongs to a supervised tool (ADR 9): it must never answer the question that it asks.
 * Told by its ancestors, by the leader of its session, and by the mark that a tool's children inherit. A tool that started its worker
 * itself carries no mark: all of the sessions from there up to the terminal that it was started at count as the tool.
 */
import type { SessionId } from "../../model/ids.js";
import { GENERATIONS_MAX, type ReadProcess } from "../../observe/process-facts.js";

/** The process of an open session, as the kernel told it when the session was opened. */
export interface Worker {
  readonly sessionId: SessionId;
  readonly pid: number;
  /** Tells it from another process that was given the same number; null where the system does not tell. */
  readonly startTime: string | null;
  /** The tool started it, and not it the tool. */
  readonly underTool: boolean;
}

/** What belongs to tools: the processes below these workers, and everything in and below these terminal sessions. */
interface Supervised {
  readonly workers: ReadonlySet<number>;
  readonly sessions: ReadonlySet<number>;
}

/** Who cannot be looked at counts as supervised. Those above it may well be closed to us: logins are other users' processes. */
export function isSupervised(pid: number, workers: readonly Worker[], read: ReadProcess): boolean {
  const self = read(pid);
  if (self === null || self.mark !== null || self.isClosed === true) return true;
  const under = workers.filter(({ underTool }) => underTool);
  const sessions = under.map((worker) => sessionsAbove(worker, read));
  if (sessions.includes(null)) return true;
  // A command of the tool that left its parents and its session looks like anybody's but for that: nobody sits at it.
  if (under.length > 0 && !self.hasTerminal) return true;
  const supervised = {
    workers: new Set(workers.map((worker) => worker.pid)),
    sessions: new Set(sessions.flatMap((above) => above ?? [])),
  };
  return descends(pid, supervised, read) || leaderDescends(self.leader, pid, supervised, read);
}

/** The session whose tool the process is part of, by its parents: that of the nearest worker above it. */
export function supervisorOf(pid: number, workers: readonly Worker[], read: ReadProcess): SessionId | null {
  const byPid = new Map(workers.filter(({ underTool }) => !underTool).map((worker) => [worker.pid, worker]));
  let at = read(pid)?.parent ?? 0;
  for (let generation = 0; at > 1 && generation < GENERATIONS_MAX; generation++) {
    const worker = byPid.get(at);
    if (worker) return worker.sessionId;
    at = read(at)?.parent ?? 0;
  }
  return null;
}

/**
 * The sessions of the tool that started this worker. It may have started it by a wrapper in a session of its own; but people start
 * tools at a terminal, so that the first session with one has the tool in it or below. Null when nobody can tell.
 */
function sessionsAbove({ pid }: Worker, read: ReadProcess): readonly number[] | null {
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

/** An ended leader cannot be read and supervises nobody: shells leave such sessions behind every day. */
function leaderDescends(leader: number, pid: number, supervised: Supervised, read: ReadProcess): boolean {
  const facts = leader === pid || leader <= 1 ? null : read(leader);
  return facts !== null && (facts.mark !== null || descends(leader, supervised, read));
}

function descends(pid: number, { workers, sessions }: Supervised, read: ReadProcess): boolean {
  let at = pid;
  for (let generation = 0; generation < GENERATIONS_MAX; generation++) {
    const facts = read(at);
    // An ancestor that ended between two readings has left its children to another one.
    if (facts === null) return true;
    if (sessions.has(facts.leader)) return true;
    if (facts.parent <= 1) return false;
    if (workers.has(facts.parent)) return true;
    at = facts.parent;
  }
  return true;
}
