/** A real hub that a monitor looks into: how long its event loop is held, and how much memory it has. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { FakeWorker } from "../../support/fake-worker.js";
import { eventually, HubHome, MAIN } from "../../support/hub-home.js";
import { processorSlowness } from "../../support/processor.js";

/** A tap or a card that is lost is told from one that is late. */
export const LOST_MS = 60_000;
const TAP_MS_MAX = 3_000;
const RESIDENT_MAX = 256 * 1024 * 1024;
const BLOCKED_MS_MAX = 100;
/** A wait for a disk or a lock that the hub itself asked for, beyond what a shared machine makes a thread wait for its turn. */
const WAITED_MS_MAX = 500;
/** Taps from one look at the processor's speed to the next. */
const TAPS_A_MEASURE = 10;
/** Running programs for each core beyond which a thread must wait for its turn. */
const QUIET_LOAD = 0.75;
const MONITOR = join(import.meta.dirname, "loop-monitor.cjs");

/** What the monitor wrote down, in ms and bytes. */
interface Worst {
  /** Processor time of the hub's thread within one gap. */
  readonly busy: number;
  readonly gap: number;
  readonly busyInGap: number;
  readonly rss: number;
}

export class WatchedHub {
  readonly home = new HubHome();
  /** How long each tap took until the worker had its key. */
  readonly taps: number[] = [];
  #process: ChildProcess | null = null;
  #wasQuiet = true;
  /** The slowest that the processor was seen since the last check: within seconds it may be twice as slow. */
  #slowness = 1;

  async start(config: unknown): Promise<void> {
    const { paths, env } = this.home;
    mkdirSync(paths.dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(paths.config, JSON.stringify(config), { mode: 0o600 });
    await this.home.trust();
    this.#process = spawn(process.execPath, ["--require", MONITOR, MAIN, "hub", "start", "--foreground"], {
      env: { ...env, ATB_LOOP_FILE: this.#file, ATB_LOOP_FROM: paths.hubAddress },
      stdio: "ignore",
    });
    await eventually(() => this.home.hubPid(), 120_000);
    this.#measureProcessor();
    this.#wasQuiet = isQuiet();
  }

  async close(): Promise<void> {
    this.#process?.kill("SIGKILL");
    await this.home.close();
  }

  /** Somebody taps, and `worker` has the key. */
  async tap(worker: FakeWorker, press: () => void): Promise<void> {
    const keys = worker.replies.length;
    const began = performance.now();
    press();
    await eventually(() => worker.replies.length > keys, LOST_MS);
    this.taps.push(performance.now() - began);
    if (this.taps.length % TAPS_A_MEASURE === 1) this.#measureProcessor();
  }

  /** Each tap had its key, and no question had two. */
  expectOneKeyEach(workers: readonly FakeWorker[]): void {
    const tapped = workers.flatMap(({ replies }) => replies.map(({ promptId }) => promptId));
    expect(tapped.length).toBe(this.taps.length);
    expect(new Set(tapped).size).toBe(tapped.length);
  }

  /**
   * The hub's thread itself never works for longer than that. What it waited within a gap is the machine's as well as its own: only
   * where nobody else wants the processors does a long wait tell of the hub.
   */
  expectBounded(what: string): void {
    const { busy, gap, busyInGap, rss } = JSON.parse(readFileSync(this.#file, "utf8")) as Worst;
    this.#measureProcessor();
    const slower = this.#slowness;
    this.#slowness = 1;
    const limitMs = BLOCKED_MS_MAX * slower;
    const quiet = isQuiet() && this.#wasQuiet;
    this.#wasQuiet = isQuiet();
    print(
      `${what}: loop held ${gap.toFixed(0)} ms at most by the clock (of it ${busyInGap.toFixed(0)} ms by our own thread), ` +
        `${busy.toFixed(0)} ms at most by our own thread; machine ${quiet ? "quiet" : "busy"}, load ${load().toFixed(1)} a core, processor ${slower.toFixed(1)} times as slow; resident ${mb(rss)}`,
    );
    expect(busy, `${what}: processor time`).toBeLessThanOrEqual(limitMs);
    if (quiet) expect(gap - busyInGap, `${what}: waited`).toBeLessThanOrEqual(WAITED_MS_MAX);
    expect(rss, `${what}: memory`).toBeLessThanOrEqual(RESIDENT_MAX);
  }

  /** Where others want the processors as well, or the processor is slow, everything takes so many times longer. */
  expectTapsInTime(): void {
    const slower = Math.max(1, load(), this.#slowness);
    const sorted = [...this.taps].sort((a, b) => a - b);
    const at = (part: number): string => (sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(0);
    print(
      `${sorted.length} taps to their keys: ${at(0.5)} ms at the median, ${at(0.99)} at p99, ${at(1)} at most; ${slower.toFixed(1)} times as slow`,
    );
    expect(sorted.at(-1)).toBeLessThan(TAP_MS_MAX * slower);
  }

  #measureProcessor(): void {
    this.#slowness = Math.max(this.#slowness, processorSlowness());
  }

  get #file(): string {
    return join(this.home.folder, "loop.json");
  }
}

function load(): number {
  return (loadavg()[0] ?? 0) / cpus().length;
}

function isQuiet(): boolean {
  return load() <= QUIET_LOAD;
}

export function print(line: string): void {
  console.log(`bounded: ${line}`);
}

export function mb(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}
