import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../src/observe/clock.js";
import {
  TTY_ASKED_LOOK_MS,
  TTY_LOOK_AGAIN_MAX_MS,
  TTY_QUIET_MS,
  TTY_READ_GAP_MS,
  TTY_READS_ON_MS,
  TtyWatch,
} from "../../../../src/worker/signals/tty-watch.js";
import type { TerminalReaders } from "../../../../src/worker/process/process-facts.js";
import type { TtySignals } from "../../../../src/worker/process/tty-facts.js";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function rig() {
  const clock = new ManualClock();
  const readers: TerminalReaders = { blocked: undefined, readers: [] };
  const now = { facts: {} as TtySignals, wanted: true, isAsked: false, readers };
  const readAt: number[] = [];
  let told = 0;
  const watch = new TtyWatch({
    clock,
    read: () => {
      readAt.push(clock.monotonic());
      return Promise.resolve(now.facts);
    },
    wanted: () => now.wanted,
    onFacts: () => told++,
    readers: () => now.readers,
    isAsked: () => now.isAsked,
    authors: null,
  });
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await turn();
  };
  return { watch, now, readAt, pass, clock, told: () => told };
}

describe("the watch on the tool's tty", () => {
  it("reads once the output is quiet, and says until then that facts are due", async () => {
    const { watch, now, pass, readAt, told } = rig();
    now.facts = { blockedOnRead: true, canonical: true };
    watch.disturbed();
    expect(watch.facts).toEqual({ ttyDue: true });
    await pass(TTY_QUIET_MS - 1);
    watch.disturbed();
    await pass(TTY_QUIET_MS - 1);
    expect(readAt).toEqual([]);
    await pass(1);
    expect(readAt).toHaveLength(1);
    expect(watch.facts).toEqual(now.facts);
    expect(told()).toBe(1);
  });

  it("finds the program that asks first and reads later", async () => {
    const { watch, now, pass } = rig();
    now.facts = { blockedOnRead: false };
    watch.disturbed();
    await pass(TTY_QUIET_MS);
    expect(watch.facts.blockedOnRead).toBe(false);
    now.facts = { blockedOnRead: true };
    await pass(TTY_READ_GAP_MS);
    expect(watch.facts.blockedOnRead).toBe(true);
  });

  it("looks ever more rarely at a program that does something else", async () => {
    const { watch, now, pass, readAt } = rig();
    now.facts = { blockedOnRead: false };
    watch.disturbed();
    for (let ms = 0; ms < 20_000; ms += 10) await pass(10);
    const gaps = readAt.slice(1).map((at, index) => at - (readAt[index] ?? 0));
    expect(gaps.slice(0, 5)).toEqual([500, 1000, 2000, TTY_LOOK_AGAIN_MAX_MS, TTY_LOOK_AGAIN_MAX_MS]);
  });

  it("does not read again where somebody waits, or nothing can be known", async () => {
    for (const facts of [{ blockedOnRead: true }, {}]) {
      const { watch, now, pass, readAt } = rig();
      now.facts = facts;
      watch.disturbed();
      for (let ms = 0; ms < 10_000; ms += 100) await pass(100);
      expect(readAt).toHaveLength(1);
    }
  });

  it("keeps nobody waiting for facts that are not wanted", async () => {
    const { watch, now, pass, readAt, told } = rig();
    now.wanted = false;
    watch.disturbed();
    await pass(TTY_QUIET_MS);
    expect(readAt).toEqual([]);
    expect(watch.facts).toEqual({});
    expect(told()).toBe(1);
  });
});

describe("while a question on a line stands, the watch on the tool's tty", () => {
  const reads = (...ids: string[]): TerminalReaders => ({
    blocked: true,
    readers: ids.map((id) => ({ id })),
  });

  async function asked(readers: TerminalReaders) {
    const one = rig();
    one.now.readers = readers;
    one.now.facts = readers.blocked === undefined ? { canonical: true } : { blockedOnRead: true };
    one.watch.disturbed();
    await one.pass(TTY_QUIET_MS);
    one.now.isAsked = true;
    one.watch.asked();
    return one;
  }

  it("names those who were proved to read", async () => {
    expect((await asked(reads("7@1"))).watch.provenReaders).toEqual(["7@1"]);
    expect((await asked({ blocked: undefined, readers: [{ id: "7@1" }] })).watch.provenReaders).toBeNull();
    const { watch } = await asked(reads("7@1"));
    watch.disturbed();
    expect(watch.provenReaders).toBeNull();
  });

  it.each<[string, TerminalReaders]>([
    ["was proved to read", reads("7@1")],
    ["waited for several things", { blocked: undefined, readers: [{ id: "7@1" }] }],
  ])("sees that whoever %s does so no more", async (_, before) => {
    const { watch, now, pass } = await asked(before);
    await pass(TTY_ASKED_LOOK_MS);
    now.readers = { blocked: false, readers: [] };
    now.facts = { blockedOnRead: false };
    await pass(TTY_ASKED_LOOK_MS);
    expect(watch.facts.blockedOnRead).not.toBe(false);
    await pass(TTY_READS_ON_MS);
    await pass(0);
    expect(watch.facts.blockedOnRead).toBe(false);
  });

  it("sees that another one reads", async () => {
    const { watch, now, pass } = await asked(reads("7@1"));
    now.readers = reads("8@2");
    await pass(TTY_ASKED_LOOK_MS);
    await pass(TTY_READS_ON_MS);
    await pass(0);
    expect(watch.provenReaders).toEqual(["8@2"]);
  });

  it("starts no process for one that reads on, nor for one that was disturbed for a moment", async () => {
    const { now, pass, readAt } = await asked(reads("7@1"));
    await pass(TTY_ASKED_LOOK_MS);
    now.readers = { blocked: false, readers: [] };
    await pass(TTY_ASKED_LOOK_MS);
    now.readers = reads("7@1", "8@2");
    for (let looks = 0; looks < 5; looks++) await pass(TTY_ASKED_LOOK_MS);
    expect(readAt).toHaveLength(1);
  });

  it("looks no more once it is over", async () => {
    const { now, pass, readAt } = await asked(reads("7@1"));
    now.isAsked = false;
    now.readers = { blocked: false, readers: [] };
    for (let looks = 0; looks < 5; looks++) await pass(TTY_ASKED_LOOK_MS);
    expect(readAt).toHaveLength(1);
  });
});
