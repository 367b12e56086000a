/**
 * Whether a process belongs to a supervised tool (design §3 "No self-approval"): it must never answer the question that it asks.
 * Told by its ancestors, by the leader of its session, and by the mark that a tool's children inherit.
 */

/** What the system says of a process; null when it is gone or hides it. */
export interface ProcessFacts {
  readonly parent: number;
  /** Leader of its session: stays when the parent has ended. */
  readonly leader: number;
  /** Value of the inherited mark; null without one. */
  readonly mark: string | null;
}

export type ReadProcess = (pid: number) => ProcessFacts | null;

/** More generations than any tool starts; a chain that is longer is a chain that changes while it is read. */
const GENERATIONS_MAX = 64;

/** `workers`: the processes that supervise a tool now. What cannot be read counts as supervised. */
export function isSupervised(pid: number, workers: ReadonlySet<number>, read: ReadProcess): boolean {
  const self = read(pid);
  if (self === null || self.mark !== null) return true;
  return descends(pid, workers, read) || leaderDescends(self.leader, pid, workers, read);
}

/** An ended leader cannot be read and supervises nobody: shells leave such sessions behind every day. */
function leaderDescends(
  leader: number,
  pid: number,
  workers: ReadonlySet<number>,
  read: ReadProcess,
): boolean {
  const facts = leader === pid || leader <= 1 ? null : read(leader);
  return facts !== null && (facts.mark !== null || descends(leader, workers, read));
}

function descends(pid: number, workers: ReadonlySet<number>, read: ReadProcess): boolean {
  let at = pid;
  for (let generation = 0; generation < GENERATIONS_MAX; generation++) {
    const facts = read(at);
    // An ancestor that ended between two readings has left its children to another one.
    if (facts === null) return true;
    if (facts.parent <= 1) return false;
    if (workers.has(facts.parent)) return true;
    at = facts.parent;
  }
  return true;
}
