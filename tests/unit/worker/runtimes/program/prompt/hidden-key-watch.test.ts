/** A key that draws nothing counts no more once what runs has taken it, and only then. */
import { expect, it } from "vitest";
import { ManualClock } from "../../../../../../src/observe/clock.js";
import { PartialLine } from "../../../../../../src/worker/runtimes/program/prompt/partial-line.js";
import { HiddenKeyWatch } from "../../../../../../src/worker/runtimes/program/prompt/hidden-key-watch.js";

const ESC = Buffer.from("\x1b");

function pressEsc(over: Partial<{ canonical: boolean; isElsewhere: boolean; blocked: boolean | undefined }>) {
  const seen = { canonical: false, isElsewhere: true, blocked: true, ...over };
  const clock = new ManualClock();
  const partialLine = new PartialLine();
  const watch: { phase: "running" | "prompt" } = { phase: "running" };
  let typedAt = 0;
  const port = {
    typedAt: () => typedAt,
    findReaders: () => ({ blocked: seen.blocked, readers: [] }),
    readTty: () => Promise.resolve({ canonical: seen.canonical }),
  };
  const taking = new HiddenKeyWatch({ clock, port, watch, owner: seen, partialLine });
  const type = (bytes: Uint8Array): void => {
    typedAt = clock.monotonic();
    partialLine.onTyped(bytes);
    taking.note();
  };
  type(ESC);
  const pass = async (ms: number): Promise<boolean> => {
    clock.advance(ms);
    await new Promise(setImmediate);
    return partialLine.hasHiddenKey;
  };
  return { pass, type, watch };
}

it("is taken by an editor that waits for the next key", async () => {
  const { pass } = pressEsc({});
  expect(await pass(99)).toBe(true);
  expect(await pass(1)).toBe(false);
});

it.each([
  ["the program itself has the terminal", { isElsewhere: false }],
  ["the kernel edits the line", { canonical: true }],
  ["what runs does not wait for keys", { blocked: false }],
])("counts still where %s", async (_what, over) => {
  expect(await pressEsc(over).pass(60_000)).toBe(true);
});

it("counts still where the prompt came first", async () => {
  const { pass, watch } = pressEsc({});
  watch.phase = "prompt";
  expect(await pass(60_000)).toBe(true);
});

it("is looked at again behind the next key", async () => {
  const { pass, type } = pressEsc({});
  await pass(60);
  type(ESC);
  expect(await pass(60)).toBe(true);
  expect(await pass(40)).toBe(false);
});
