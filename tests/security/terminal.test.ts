/**
 * Whatever a program writes to its terminal, keys pass at once and memory is bounded. What the model of the screen cannot follow
 * is reported, and gets no answer.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Screen } from "../../src/worker/screen/screen.js";
import { MAIN } from "../support/hub-home.js";
import { processorSlowness } from "../support/processor.js";
import { withRig } from "../support/rig/rig.js";
import { seeded } from "../support/seeded.js";
import { EchoTerminal } from "./support/echo-terminal.js";
import { HostileOutput } from "./support/hostile-output.js";
import { scaleCount } from "./support/scale.js";

const SEED = Number(process.env.ATB_SECURITY_SEED ?? Date.now() % 2 ** 31);
const SEQUENCES = scaleCount(10_000_000, 100_000);
const KEYS = scaleCount(3_000, 150);
/** Of so many different sequences a flood is made; it is played again and again. */
const FLOOD_SEQUENCES = Math.min(SEQUENCES, 1_000_000);
const CHUNK_BYTES_MAX = 16 * 1024;

const ECHO_P999_MS = 50;
/** Of fewer keys the p99.9 is the worst one, which one pause of the machine decides: then the best of three runs is judged. */
const TRIES = KEYS < 1_000 ? 3 : 1;
const ECHO_WORST_MS = 250;
const BLOCK_WORST_MS = 250;
/** Beyond that the machine is too busy for the clock to tell anything of us. */
const QUIET_SLOWNESS = 1.3;
/**
 * An echo waits for what the flood wrote before it: `cat` writes 128 KB at once, and may come first three times. Passed on at this price
 * of our own processor's time, that takes as long as an echo may.
 */
const PASS_MS_PER_MB = 130;
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
    "never blocks its thread for long at $cols × $rows, and uses little memory",
    { timeout: 3_600_000 },
    async (size) => {
      const screen = new Screen(size);
      const hostile = new HostileOutput(SEED + size.cols);
      const random = seeded(SEED);
      const blocks: number[] = [];
      const slower = slowness() * processorSlowness();
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
      console.log(
        `seed ${SEED}, ${size.cols}×${size.rows}: ${SEQUENCES / SIZES.length} sequences, blocks p50/p99/p99.9/worst ${short(blocks)} ms (machine ${slower.toFixed(1)} times as slow as quiet), ` +
          `${Math.round(most / 2 ** 20)} MB more, lost at ${lost} of ${SEQUENCES / SIZES.length / 1_000} looks`,
      );
      expect(quantile(blocks, 1)).toBeLessThan(BLOCK_WORST_MS * slower);
      expect(most).toBeLessThan(RESIDENT_MAX);
      screen.write(Buffer.from("\u0018\u001b\\\u001bc\u001b[2J\u001b[Hstill there"));
      await screen.flushed();
      await expect.poll(() => recovered(screen), { timeout: 5_000 }).toBe(true);
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

  it("passes every byte of it, and a key at once, in little memory", { timeout: 3_600_000 }, async () => {
    const file = join(folder, "flood");
    const hostile = new HostileOutput(SEED);
    const flood = hostile.take(FLOOD_SEQUENCES);
    writeFileSync(file, flood);
    const run = [process.execPath, MAIN, "run", "--no-relay", "--quiet", ...inner(file)];
    const whole = createHash("sha256").update(flood).digest("hex");
    const flooded = { file, bytes: flood.length };
    let overP999 = Infinity;
    for (let tries = 0; tries < TRIES && overP999 > 1; tries += 1) {
      const before = { clock: slowness(), processor: processorSlowness() };
      // The same without us tells what the machine does at this moment.
      const bare = await measure(inner(file), flooded, env());
      const ours = await measure(run, flooded, env());
      const clock = Math.max(before.clock, slowness());
      const processor = Math.max(before.processor, processorSlowness());
      const isQuiet = clock <= QUIET_SLOWNESS;
      console.log(
        `seed ${SEED}: ${KEYS} echoes in a flood of ${FLOOD_SEQUENCES} sequences, p50/p99/p99.9/worst: bare ${short(bare.times)} ms, ` +
          `ours ${short(ours.times)} ms; worker at most ${Math.round(ours.resident / 2 ** 20)} MB, ` +
          `${ours.msPerMb.toFixed(0)} ms of processor time for each MB; the machine is ${clock.toFixed(1)} times as slow as ` +
          `alone${isQuiet ? "" : ": the clock is not judged"}, its processor takes ${processor.toFixed(1)} times as long`,
      );
      expect([bare.hash, ours.hash]).toEqual([whole, whole]);
      expect(ours.msPerMb).toBeLessThan(PASS_MS_PER_MB * processor);
      expect(ours.resident).toBeLessThan(RESIDENT_MAX);
      const moreAt = (part: number): number => quantile(ours.times, part) - quantile(bare.times, part);
      if (isQuiet) expect(moreAt(1)).toBeLessThan(ECHO_WORST_MS * processor);
      overP999 = isQuiet ? moreAt(0.999) / (ECHO_P999_MS * processor) : 0;
    }
    expect(overP999).toBeLessThanOrEqual(1);
  });
});

interface Measured {
  readonly hash: string;
  readonly times: readonly number[];
  /** The most that the process ever had in memory. */
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

/** Processor time that they all used so far. */
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

/** How much longer everything takes because the machine is busy with other things: wall time for a second of work. 1 where it is not. */
function slowness(): number {
  const [begun, before] = [performance.now(), process.cpuUsage()];
  let spent = 0;
  while (spent < 1_000_000) spent = process.cpuUsage(before).user + process.cpuUsage(before).system;
  return Math.max(1, (performance.now() - begun) / (spent / 1000));
}

describe("what the model cannot follow", () => {
  it("is reported on the open card and to its people, and no answer is typed", () =>
    withRig(async (rig) => {
      const sign = join(rig.home.folder, "sign");
      // More than the screen has cells, and few enough for the test's own terminal, which has no bounds.
      const flood = `(until [ -e ${sign} ]; do sleep 0.1; done; printf 'x\\033[9999b') &`;
      const run = rig.run([
        "sh",
        "-c",
        `${flood} printf 'Overwrite it? [y/N] '; read -r answer; echo "<$answer>"`,
      ]);
      const card = await run.card();
      expect(card.text).toContain("Overwrite it?");
      writeFileSync(sign, "");
      expect(await card.settled()).toContain("The screen can no longer be read; AtlasBridge typed nothing");
      await rig.phone.notice(/its screen can no longer be read/);
      const [session] = await rig.sessions();
      expect(session?.state).toBe("screen_lost");
      expect(run.text).not.toContain("<");
      run.terminal.press("y\r");
      await run.exited;
      expect(run.text).toContain("<y>");
    }));
});
