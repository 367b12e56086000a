/**
 * What a tool starts stays below us, also what leaves its parents (forked twice, `setsid`): the kernel makes it our child when they
 * have ended, and by that the hub knows it as the tool's. What ends as our child is ours to collect.
 */
import { readdirSync, readFileSync } from "node:fs";
import { readProcessState } from "../../observe/process-life.js";
import { getNativeCalls } from "../../observe/system-calls.js";

/**
 * Node and the terminal's addon collect their own children at once. Whatever is still dead at a second look, this much later, is
 * nobody's but ours.
 */
export const LOOK_AGAIN_MS = 1_000;

export interface OrphanCollectorOptions {
  /** Our children that have ended and were not collected. */
  readonly findDead: () => readonly number[];
  readonly collect: (pid: number) => void;
  readonly after: (delayMs: number, work: () => void) => void;
}

export class OrphanCollector {
  readonly #options: OrphanCollectorOptions;
  #seen: ReadonlySet<number> = new Set();
  #isWaiting = false;

  constructor(options: OrphanCollectorOptions) {
    this.#options = options;
  }

  /** A child has ended. */
  look(): void {
    if (this.#isWaiting) return;
    const dead = this.#options.findDead();
    for (const pid of dead.filter((each) => this.#seen.has(each))) this.#options.collect(pid);
    const left = dead.filter((each) => !this.#seen.has(each));
    this.#seen = new Set(left);
    if (left.length === 0) return;
    this.#isWaiting = true;
    this.#options.after(LOOK_AGAIN_MS, () => {
      this.#isWaiting = false;
      this.look();
    });
  }
}

let isAdopting = false;
/** Children that a thread of an addon waits for, which may be slow to run. */
const awaited = new Set<number>();

/** Leaves this child of ours to who waits for it, until the returned function is called. */
export function leaveToOthers(pid: number): () => void {
  awaited.add(pid);
  return () => void awaited.delete(pid);
}

/** To be called before a tool is started; only the first call does anything. Linux only: nowhere else is it known whose an orphan was. */
export function adoptOrphans(): void {
  if (isAdopting) return;
  isAdopting = true;
  const system = getNativeCalls();
  if (!system?.adoptOrphans()) return;
  // What is below us must not read from our memory what the hub tells us, nor take the tool's terminal out of our hands.
  system.closeMemory();
  const collector = new OrphanCollector({
    findDead: deadChildren,
    collect: (pid) => system.collect(pid),
    // Not in the timer itself: in between Node hears of its own children that ended, and collects them.
    after: (delayMs, work) => void setTimeout(() => setImmediate(work), delayMs).unref(),
  });
  process.on("SIGCHLD", () => collector.look());
}

const TASKS = "/proc/self/task";

function deadChildren(): number[] {
  return readdirSync(TASKS)
    .flatMap((thread) => childrenOf(thread))
    .filter((pid) => !awaited.has(pid) && readProcessState(pid) === "Z");
}

/** Empty where the kernel keeps no such list: then the dead stay until we end. */
function childrenOf(thread: string): number[] {
  try {
    const text = readFileSync(`${TASKS}/${thread}/children`, "utf8");
    return text.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
