/** A real hub that a monitor looks into: how long its event loop is held, and how much memory it has. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { FakeWorker } from "../../../support/fake-worker.js";
import { eventually, HubHome, MAIN } from "../../../support/hub-home.js";
import { printFigure } from "../../figures.js";

const TAP_MS_BAR = 3_000;
const MB_MAX = 256;
const BLOCKED_MS_BAR = 100;
/** A wait for a disk or a lock that the hub itself asked for. */
const WAITED_MS_BAR = 500;
const MONITOR = join(import.meta.dirname, "loop-monitor.cjs");

interface Worst {
  /** Processor time of the hub's thread within one gap. */
  readonly busy: number;
  readonly gap: number;
  readonly busyInGap: number;
  readonly rss: number;
}

export class WatchedHub {
  readonly home = new HubHome();
  readonly #taps: number[] = [];
  #process: ChildProcess | null = null;

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
  }

  async close(): Promise<void> {
    this.#process?.kill("SIGKILL");
    await this.home.close();
  }

  async tap(worker: FakeWorker, press: () => unknown): Promise<void> {
    const keys = worker.replies.length;
    const began = performance.now();
    const pressed = press();
    await eventually(() => worker.replies.length > keys);
    this.#taps.push(performance.now() - began);
    await pressed;
  }

  expectOneKeyEach(workers: readonly FakeWorker[]): void {
    const tapped = workers.flatMap(({ replies }) => replies.map(({ promptId }) => promptId));
    expect(tapped.length).toBe(this.#taps.length);
    expect(new Set(tapped).size).toBe(tapped.length);
  }

  /** What the hub's thread waited within a gap is the machine's as well as its own. */
  expectBoundedMemory(what: string): void {
    const { busy, gap, busyInGap, rss } = JSON.parse(readFileSync(this.#file, "utf8")) as Worst;
    printFigure(`${what}, the loop held by the hub's own work`, busy, BLOCKED_MS_BAR, "ms");
    printFigure(`${what}, the loop held by a wait`, gap - busyInGap, WAITED_MS_BAR, "ms");
    print(`${what}: ${mb(rss)} in memory`);
    expect(rss / 2 ** 20, `${what}: memory in MB`).toBeLessThanOrEqual(MB_MAX);
  }

  printTaps(): void {
    const sorted = [...this.#taps].sort((a, b) => a - b);
    const find = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
    const middle = `${find(0.5).toFixed(0)} ms at the median, ${find(0.99).toFixed(0)} ms at p99`;
    print(`${sorted.length} taps to their keys: ${middle}`);
    printFigure("the slowest tap to its key", find(1), TAP_MS_BAR, "ms");
  }

  get #file(): string {
    return join(this.home.folder, "loop.json");
  }
}

/** Whether a card's text names this prompt. Its id may be the beginning of another one. */
export function namesPrompt(text: string, shortId: string): boolean {
  return new RegExp(` · ${shortId}\\b`).test(text);
}

export function print(line: string): void {
  console.log(`  ${line}`);
}

export function mb(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}
