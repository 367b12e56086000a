/**
 * Keeps the processes that a tool starts below us, even those that leave their parents (forked twice, `setsid`). The kernel makes
 * them our children when their parents have ended, which tells the hub that they belong to the tool. Children that end must then
 * be collected by us.
 */
import { readdirSync, readFileSync } from "node:fs";
import { readProcessState } from "../../observe/process-life.js";
import { getNativeCalls } from "../../observe/system-calls.js";

/**
 * Node and the terminal's addon collect their own children at once. A child that is still dead at a second look, this much later,
 * is ours to collect.
 */
export const LOOK_AGAIN_MS = 1_000;

export interface OrphanCollectorOptions {
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

  collectDead(): void {
    if (this.#isWaiting) return;
    const dead = this.#options.findDead();
    for (const pid of dead.filter((each) => this.#seen.has(each))) this.#options.collect(pid);
    const left = dead.filter((each) => !this.#seen.has(each));
    this.#seen = new Set(left);
    if (left.length === 0) return;
    this.#isWaiting = true;
    this.#options.after(LOOK_AGAIN_MS, () => {
      this.#isWaiting = false;
      this.collectDead();
    });
  }
}

let isAdopting = false;
/** Children for which a thread of an addon waits; that thread may be slow. */
const awaited = new Set<number>();

/** Excludes a child that something else waits for, until the returned function is called. */
export function excludeFromCollection(pid: number): () => void {
  awaited.add(pid);
  return () => void awaited.delete(pid);
}

/** Call before a tool is started; only the first call has an effect. Linux only: elsewhere the origin of an orphan is unknown. */
export function adoptOrphans(): void {
  if (isAdopting) return;
  isAdopting = true;
  const system = getNativeCalls();
  if (!system?.adoptOrphans()) return;
  // Processes below us must not read what the hub sends us from our memory, nor take over the tool's terminal.
  system.closeMemory();
  const collector = new OrphanCollector({
    findDead: findDeadChildren,
    collect: (pid) => system.collect(pid),
    // Not in the timer itself: before that, Node learns which of its own children ended, and collects them.
    after: (delayMs, work) => void setTimeout(() => setImmediate(work), delayMs).unref(),
  });
  process.on("SIGCHLD", () => collector.collectDead());
}

const TASKS = "/proc/self/task";

function findDeadChildren(): number[] {
  return readdirSync(TASKS)
    .flatMap((thread) => readChildren(thread))
    .filter((pid) => !awaited.has(pid) && readProcessState(pid) === "Z");
}

/** Empty where the kernel keeps no such list: then dead processes stay until we end. */
function readChildren(thread: string): number[] {
  try {
    const text = readFileSync(`${TASKS}/${thread}/children`, "utf8");
    return text.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
