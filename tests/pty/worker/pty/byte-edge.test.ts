/**
 * A pseudo-terminal under load loses no byte of a tool's output and leaves no descriptor behind (ADR 2). Each case runs 25 times,
 * or 100 times with ATLASBRIDGE_FULL_EDGE=1, which also prints the counts.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Terminal } from "../../../../src/worker/process/terminal.js";
import { AGENTS, Collector, pattern, start, until } from "../../support/tools.js";

const FULL = process.env["ATLASBRIDGE_FULL_EDGE"] === "1";
const RUNS = FULL ? 100 : 25;
/** Terminals open at once: enough to disturb each other, few enough for a small machine. */
const BATCH = 8;
const SIZES = [20 * 1024, 1024 * 1024];
/** More input than the kernel takes for a tool that does not read. */
const UNREAD_BYTES = 48 * 1024;

let folder = "";
const files = new Map<number, { path: string; bytes: Buffer }>();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "byte-edge-"));
  for (const size of SIZES) {
    const file = { path: join(folder, String(size)), bytes: pattern(size) };
    writeFileSync(file.path, file.bytes);
    files.set(size, file);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

/** What the user's side does meanwhile; the second may return how many bytes of input went in. */
const HOSTS = {
  "that is free": () => undefined,
  "that stops reading before each chunk": (terminal: Terminal) => {
    terminal.pause();
    terminal.onData(() => {
      terminal.pause();
      setTimeout(() => terminal.resume(), 1);
    });
    setTimeout(() => terminal.resume(), 20);
  },
  "that types to a tool that does not read": (terminal: Terminal) =>
    // Not before the tool has set its terminal: in line mode the kernel takes everything, and echoes it.
    new Promise<number>((resolve) => {
      const off = terminal.onData(() => {
        off();
        resolve(terminal.write(new Uint8Array(UNREAD_BYTES)));
      });
    }),
} satisfies Record<string, (terminal: Terminal) => Promise<number> | undefined>;

async function lostBytes(
  size: number,
  host: (terminal: Terminal) => Promise<number> | undefined,
): Promise<number> {
  const file = files.get(size)!;
  const terminal = start(["sh", "-c", 'stty raw -echo; exec cat "$1"', "sh", file.path]);
  const output = new Collector(terminal);
  const typed = host(terminal);
  const { exitCode } = await terminal.exited;
  expect(exitCode).toBe(0);
  if (typed) expect(await typed).toBeLessThan(UNREAD_BYTES);
  return output.bytes.equals(file.bytes) ? 0 : Math.max(1, size - output.bytes.length);
}

async function inBatches(runs: number, run: () => Promise<number>): Promise<number[]> {
  const results: number[] = [];
  let started = 0;
  const lane = async () => {
    while (started++ < runs) results.push(await run());
  };
  await Promise.all(Array.from({ length: BATCH }, lane));
  return results;
}

describe("a tool's output", () => {
  for (const [name, host] of Object.entries(HOSTS)) {
    it.each(SIZES)(`of %i bytes arrives whole at a host ${name}`, async (size) => {
      const lost = await inBatches(RUNS, () => lostBytes(size, host));
      const runsWithLoss = lost.filter((bytes) => bytes > 0).length;
      if (FULL) console.log(`${size} bytes, host ${name}: ${runsWithLoss} of ${RUNS} runs lost something`);
      expect(lost).toHaveLength(RUNS);
      expect(runsWithLoss).toBe(0);
    });
  }

  it("arrives whole when the tool ends while the host does not read", async () => {
    const terminal = start(["printf", "the last words"]);
    const output = new Collector(terminal);
    terminal.pause();
    await terminal.exited;
    expect(output.text).toBe("the last words");
  });

  it("is kept for a listener that comes after the end", async () => {
    const terminal = start(["printf", "early"]);
    await terminal.exited;
    expect(new Collector(terminal).text).toBe("early");
  });

  it("of a Node program that exits at once arrives whole", async () => {
    const runs = FULL ? 100 : 6;
    const lost = await inBatches(runs, async () => {
      const terminal = start([process.execPath, `${AGENTS}/floods.mjs`, String(20 * 1024)]);
      const output = new Collector(terminal);
      await terminal.exited;
      return 20 * 1024 - output.bytes.length;
    });
    if (FULL)
      console.log(
        `node, 20 KiB: ${lost.filter((bytes) => bytes !== 0).length} of ${runs} runs lost something`,
      );
    expect(lost.filter((bytes) => bytes !== 0)).toEqual([]);
  });

  it("goes on when the tool had closed its terminal meanwhile", async () => {
    const terminal = start([
      "sh",
      "-c",
      "printf one; exec <&- >&- 2>&-; sleep 0.1; printf two > /dev/tty; exit 4",
    ]);
    const output = new Collector(terminal);
    expect((await terminal.exited).exitCode).toBe(4);
    expect(output.text).toBe("onetwo");
  });

  it("ends with the tool, though a process it left behind writes on", async () => {
    const terminal = start(["sh", "-c", "trap '' HUP; (while echo noise; do :; done) & echo done"]);
    const output = new Collector(terminal);
    await terminal.exited;
    expect(output.text).toContain("done");
    expect(output.bytes.length).toBeLessThan(2 * 1024 * 1024);
  });
});

describe("many runs", () => {
  it("leave no descriptor behind", async () => {
    const count = () => readdirSync("/proc/self/fd").length;
    await start(["true"]).exited;
    const before = count();
    const lane = async (number: number) => {
      const terminal = start(["sh", "-c", "echo hello; exit 3"]);
      terminal.onData(() => undefined);
      if (number % 3 === 0) terminal.pause();
      if (number % 3 === 1) terminal.close();
      await terminal.exited;
    };
    for (let round = 0; round < 5; round++)
      await Promise.all(Array.from({ length: 12 }, (_, number) => lane(number)));
    for (let round = 0; round < 10; round++) expect(() => start(["no-such-tool"])).toThrow();
    await until(() => count() <= before);
    expect(count()).toBeLessThanOrEqual(before);
  });
});
