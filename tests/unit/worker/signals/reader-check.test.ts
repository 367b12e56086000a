/** While a prompt on a line is open, a check of the processes that read its terminal notices when the reader has changed. */
import { describe, expect, it } from "vitest";
import type { TerminalReaders } from "../../../../src/worker/process/facts/process-facts.js";
import { READER_CHECK_MS, READER_RETURNS_MS } from "../../../../src/worker/signals/reader-check.js";
import { TTY_QUIET_MS, TTY_READ_GAP_MS } from "../../../../src/worker/signals/tty-watch.js";
import { rig } from "./tty-rig.js";

describe("the check of who reads while a prompt on a line is open", () => {
  const reads = (...ids: string[]): TerminalReaders => ({
    blocked: true,
    readers: ids.map((id) => ({ id })),
  });

  async function asked(readers: TerminalReaders) {
    const one = rig();
    one.now.readers = readers;
    one.now.facts = readers.blocked === undefined ? { canonical: true } : { blockedOnRead: true };
    one.watch.noteActivity();
    await one.pass(TTY_QUIET_MS);
    one.now.isAsked = true;
    one.check.start();
    return one;
  }

  it("names those who were proved to read", async () => {
    expect((await asked(reads("7@1"))).watch.provenReaders).toEqual(["7@1"]);
    expect((await asked({ blocked: undefined, readers: [{ id: "7@1" }] })).watch.provenReaders).toBeNull();
    const { watch } = await asked(reads("7@1"));
    watch.noteActivity();
    expect(watch.provenReaders).toBeNull();
  });

  it.each<[string, TerminalReaders]>([
    ["was proved to read", reads("7@1")],
    ["waited for several things", { blocked: undefined, readers: [{ id: "7@1" }] }],
  ])("notices that a process that %s no longer does so", async (_, before) => {
    const { watch, now, pass } = await asked(before);
    await pass(READER_CHECK_MS);
    now.readers = { blocked: false, readers: [] };
    now.facts = { blockedOnRead: false };
    await pass(READER_CHECK_MS);
    expect(watch.facts.blockedOnRead).not.toBe(false);
    await pass(READER_RETURNS_MS);
    await pass(0);
    expect(watch.facts.blockedOnRead).toBe(false);
  });

  it("sees that another one reads", async () => {
    const { watch, now, pass } = await asked(reads("7@1"));
    now.readers = reads("8@2");
    await pass(READER_CHECK_MS);
    await pass(READER_RETURNS_MS);
    await pass(0);
    expect(watch.provenReaders).toEqual(["8@2"]);
  });

  it("starts no process for one that reads on, nor for one that was disturbed for a moment", async () => {
    const { now, pass, readAt } = await asked(reads("7@1"));
    await pass(READER_CHECK_MS);
    now.readers = { blocked: false, readers: [] };
    await pass(READER_CHECK_MS);
    now.readers = reads("7@1", "8@2");
    for (let looks = 0; looks < 5; looks++) await pass(READER_CHECK_MS);
    expect(readAt).toHaveLength(1);
  });

  it("looks no more once it is over", async () => {
    const { now, pass, readAt } = await asked(reads("7@1"));
    now.isAsked = false;
    now.readers = { blocked: false, readers: [] };
    for (let looks = 0; looks < 5; looks++) await pass(READER_CHECK_MS);
    expect(readAt).toHaveLength(1);
  });

  it("waits after output until the facts have been read anew", async () => {
    const { watch, check, now, pass, readAt } = await asked(reads("7@1"));
    watch.noteActivity();
    check.stop();
    now.readers = { blocked: false, readers: [] };
    now.facts = { blockedOnRead: false };
    await pass(TTY_READ_GAP_MS);
    expect(readAt).toHaveLength(2);
    // Nobody reads: from now on the watch itself reads the tty again, and only it.
    await pass(TTY_READ_GAP_MS + READER_CHECK_MS);
    expect(readAt).toHaveLength(3);
  });
});
