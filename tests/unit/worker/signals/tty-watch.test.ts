/** The watch on the tool's terminal reads its facts once output is quiet, and ever more rarely when they do not change. */
import { describe, expect, it } from "vitest";
import {
  TTY_LOOK_AGAIN_MAX_MS,
  TTY_QUIET_MS,
  TTY_READ_GAP_MS,
} from "../../../../src/worker/signals/tty-watch.js";
import { rig } from "./tty-rig.js";

describe("the watch on the tool's tty", () => {
  it("reads once the output is quiet, and says until then that facts are due", async () => {
    const { watch, now, pass, readAt, told } = rig();
    now.facts = { blockedOnRead: true, canonical: true };
    watch.noteActivity();
    expect(watch.facts).toEqual({ ttyDue: true });
    await pass(TTY_QUIET_MS - 1);
    watch.noteActivity();
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
    watch.noteActivity();
    await pass(TTY_QUIET_MS);
    expect(watch.facts.blockedOnRead).toBe(false);
    now.facts = { blockedOnRead: true };
    await pass(TTY_READ_GAP_MS);
    expect(watch.facts.blockedOnRead).toBe(true);
  });

  it("looks ever more rarely at a program that does something else", async () => {
    const { watch, now, pass, readAt } = rig();
    now.facts = { blockedOnRead: false };
    watch.noteActivity();
    for (let ms = 0; ms < 20_000; ms += 10) await pass(10);
    const gaps = readAt.slice(1).map((at, index) => at - (readAt[index] ?? 0));
    expect(gaps.slice(0, 5)).toEqual([500, 1000, 2000, TTY_LOOK_AGAIN_MAX_MS, TTY_LOOK_AGAIN_MAX_MS]);
  });

  it("does not read again where somebody waits, or nothing can be known", async () => {
    for (const facts of [{ blockedOnRead: true }, {}]) {
      const { watch, now, pass, readAt } = rig();
      now.facts = facts;
      watch.noteActivity();
      for (let ms = 0; ms < 10_000; ms += 100) await pass(100);
      expect(readAt).toHaveLength(1);
    }
  });

  it("delays nothing for facts that are not wanted", async () => {
    const { watch, now, pass, readAt, told } = rig();
    now.wanted = false;
    watch.noteActivity();
    await pass(TTY_QUIET_MS);
    expect(readAt).toEqual([]);
    expect(watch.facts).toEqual({});
    expect(told()).toBe(1);
  });
});
