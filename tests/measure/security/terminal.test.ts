/** Whatever a program writes to its terminal, every byte passes and memory is bounded. Prints how long keys wait for such output. */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Screen } from "../../../src/worker/screen/screen.js";
import { MAIN } from "../../support/hub-home.js";
import { seeded } from "../../support/seeded.js";
import { EchoTerminal } from "./support/echo-terminal.js";
import { HostileOutput } from "./support/hostile-output.js";
import { BULK_HANG_MS, scaleCount, SEED } from "../../security/support/scale.js";
import { printFigure } from "../figures.js";

const SEQUENCES = scaleCount(3_000_000, 100_000);
const KEYS = scaleCount(3_000, 150);
/** Of so many different sequences a flood is made; it is played again and again. */
const FLOOD_SEQUENCES = Math.min(SEQUENCES, 1_000_000);
const CHUNK_BYTES_MAX = 16 * 1024;

/** By how much longer an echo takes with AtlasBridge than without it, at p99.9 and at most. */
const ECHO_P999_MS_BAR = 50;
const ECHO_WORST_MS_BAR = 250;
const BLOCK_MS_BAR = 250;
/**
 * An echo waits for what the flood wrote before it: `cat` writes 128 KB at once, and may come first three times. Passed on at this price
 * of our own processor's time, that takes as long as an echo may.
 */
const PASS_MS_PER_MB_BAR = 130;
const RESIDENT_MAX = 200 * 1024 * 1024;

/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10;

const SIZES = [
  { cols: 80, rows: 24 },
  { cols: 120, rows: 40 },
  { cols: 400, rows: 120 },
  { cols: 2, rows: 2 },
];

function quantile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? NaN;
}

const short = (times: readonly number[]): string =>
  [0.5, 0.99, 0.999, 1].map((part) => quantile(times, part).toFixed(1)).join(" / ");

describe("the model of the screen", () => {
  it.each(SIZES)(
    "uses little memory at $cols × $rows, and follows the screen again after a reset",
    { timeout: BULK_HANG_MS },
    async (size) => {
      const screen = new Screen(size);
      const hostile = new HostileOutput(SEED + size.cols);
      const random = seeded(SEED);
      const blocks: number[] = [];
      const before = process.memoryUsage().rss;
      let most = 0;
      let lost = 0;
      for (let done = 0; done < SEQUENCES / SIZES.length; done += 1_000) {
        const bytes = hostile.take(1_000);
        for (let at = 0; at < bytes.length;) {
          const end = at + 1 + Math.floor(random() ** 2 * CHUNK_BYTES_MAX);
          screen.write(bytes.subarray(at, end));
          at = end;
          // Whoever writes stops while much is waiting, as a run does.
          do {
            const begun = performance.now();
            await nextTurn();
            blocks.push(performance.now() - begun);
          } while (screen.backlogBytes > 192 * 1024);
        }
        screen.view();
        if (!screen.isFollowed) lost += 1;
        most = Math.max(most, process.memoryUsage().rss - before);
      }
      await screen.flushed();
      const looks = SEQUENCES / SIZES.length / 1_000;
      console.log(
        `  seed ${SEED}, ${size.cols}×${size.rows}: lost at ${lost} of ${looks} looks, ${Math.round(most / 2 ** 20)} MB more, ` +
          `a turn of the event loop takes p50/p99/p99.9/worst ${short(blocks)} ms`,
      );
      printFigure(`the longest turn at ${size.cols}×${size.rows}`, quantile(blocks, 1), BLOCK_MS_BAR, "ms");
      expect(most).toBeLessThan(RESIDENT_MAX);
      screen.write(Buffer.from("\u0018\u001b\\\u001bc\u001b[2J\u001b[Hstill there"));
      await screen.flushed();
      await expect.poll(() => recovered(screen)).toBe(true);
      screen.dispose();
    },
  );
});

/** A reset is left out while the budget is spent, as everything is: it counts once there is time for it. */
function recovered(screen: Screen): boolean {
  if (!screen.isFollowed) screen.write(Buffer.from("\u001bc\u001b[2J\u001b[Hstill there"));
  return screen.isFollowed;
}

describe("a run whose tool floods its terminal with such output", () => {
  let folder = "";
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "hostile-"))));
  afterAll(() => rmSync(folder, { recursive: true }));

  const env = (): Record<string, string> => ({
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    ATLASBRIDGE_HOME: join(folder, "home"),
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
  });
  const inner = (file: string): string[] => [
    "sh",
    "-c",
    `stty raw -echo; printf '%s%s' -REA DY-; dd bs=1 count=1 of=/dev/null 2>/dev/null; cat ${file}; (while :; do cat ${file}; done) & exec cat`,
  ];

  it("passes every byte of it in little memory, and keys meanwhile", { timeout: BULK_HANG_MS }, async () => {
    const file = join(folder, "flood");
    const flood = new HostileOutput(SEED).take(FLOOD_SEQUENCES);
    writeFileSync(file, flood);
    const run = [process.execPath, MAIN, "run", "--no-relay", "--quiet", ...inner(file)];
    const whole = createHash("sha256").update(flood).digest("hex");
    const flooded = { file, bytes: flood.length };
    const bare = await measure(inner(file), flooded, env());
    const ours = await measure(run, flooded, env());
    console.log(
      `  seed ${SEED}: ${KEYS} echoes in a flood of ${FLOOD_SEQUENCES} sequences, p50/p99/p99.9/worst: ` +
        `without us ${short(bare.times)} ms, ours ${short(ours.times)} ms`,
    );
    const moreAt = (part: number): number => quantile(ours.times, part) - quantile(bare.times, part);
    printFigure("an echo takes longer, p99.9", moreAt(0.999), ECHO_P999_MS_BAR, "ms");
    printFigure("an echo takes longer at most", moreAt(1), ECHO_WORST_MS_BAR, "ms");
    printFigure("processor time for each MB", ours.msPerMb, PASS_MS_PER_MB_BAR, "ms");
    console.log(`  worker at most ${Math.round(ours.resident / 2 ** 20)} MB`);
    expect([bare.hash, ours.hash]).toEqual([whole, whole]);
    expect(ours.resident).toBeLessThan(RESIDENT_MAX);
  });
});

interface Measured {
  readonly hash: string;
  readonly times: readonly number[];
  readonly resident: number;
  /** Processor time of the run for each MB that it passed on. */
  readonly msPerMb: number;
}

async function measure(
  command: readonly string[],
  { file, bytes }: { readonly file: string; readonly bytes: number },
  env: Readonly<Record<string, string>>,
): Promise<Measured> {
  const terminal = new EchoTerminal(command, env);
  try {
    await terminal.until("-READY-");
    const hash = terminal.hash(bytes);
    terminal.press("g");
    const whole = await hash;
    const [passed, used] = [terminal.bytes, measureUsedMs([MAIN, file])];
    const times = await terminal.echoes(KEYS);
    const megabytes = (terminal.bytes - passed) / 2 ** 20;
    const msPerMb = (measureUsedMs([MAIN, file]) - used) / megabytes;
    return { hash: whole, times, resident: measureResident([MAIN, file]), msPerMb };
  } finally {
    await terminal.close();
  }
}

/** The most that any process whose command line holds these words ever had in memory: the run's, and the shell's that keeps its job. */
function measureResident(words: readonly string[]): number {
  return Math.max(0, ...foundBy(words).map(readPeak));
}

function measureUsedMs(words: readonly string[]): number {
  return foundBy(words).reduce((sum, pid) => sum + TICK_MS * readTicks(pid), 0);
}

function foundBy(words: readonly string[]): string[] {
  return readdirSync("/proc").filter((name) => {
    const command = /^\d+$/.test(name) ? readCommand(name) : "";
    return words.every((word) => command.includes(word));
  });
}

function readTicks(pid: string): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return Number(user) + Number(system);
}

function readPeak(pid: string): number {
  const [, kilobytes = "0"] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
