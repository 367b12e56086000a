/** A line at the bottom of the screen belongs to the processes that read, or does not, by what they have written and read. */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../src/observe/clock.js";
import type { TerminalReader, TerminalReaders } from "../../../../src/worker/process/facts/process-facts.js";
import { ECHO_WITHIN_MS, ReaderWatch } from "../../../../src/worker/signals/reader-watch.js";

const LATER_MS = ECHO_WITHIN_MS + 1;
const NOBODY: TerminalReaders = { blocked: false, readers: [] };

const one = (id: string, written?: number, taken = 0): TerminalReader => ({
  id,
  ...(written !== undefined && { written, taken }),
});
const reads = (...readers: TerminalReader[]): TerminalReaders => ({ blocked: true, readers });
const polls = (...readers: TerminalReader[]): TerminalReaders => ({ blocked: undefined, readers });

function rig() {
  const clock = new ManualClock();
  const screen = { line: "" };
  const watch = new ReaderWatch({ clock, line: () => screen.line });
  /** Output that leaves this line at the bottom, long after any key; true where it is not the readers'. */
  const output = (line: string, readers: TerminalReaders, afterMs = LATER_MS): boolean => {
    clock.advance(afterMs);
    screen.line = line;
    watch.onOutput();
    return watch.judge(readers);
  };
  return { watch, output, quiet: (readers: TerminalReaders) => watch.judge(readers) };
}

describe("a line at the bottom belongs to the reading processes", () => {
  it.each([
    ["proved to read", reads],
    ["that may be reading", polls],
  ])("when one %s has written something since", (_, state) => {
    const { output } = rig();
    expect(output("1 Name: ", state(one("a", 6)))).toBe(false);
    expect(output("2 Branch: ", state(one("a", 14)))).toBe(false);
  });

  it("when one reads that did not before", () => {
    const { output } = rig();
    output("1 Name: ", reads(one("a", 6)));
    expect(output("2 Branch: ", reads(one("b", 0)))).toBe(false);
    expect(output("3 working", NOBODY)).toBe(false);
    expect(output("4 Name: ", reads(one("b", 0)))).toBe(false);
  });

  it("when one took what was typed, and let another ask for it", () => {
    const { watch, output } = rig();
    output("1 First? ", reads(one("a", 6, 100)));
    watch.onKeys();
    expect(output("2 Second? ", reads(one("a", 6, 102)))).toBe(false);
  });

  it("when it stands as it did: another process draws elsewhere on the screen", () => {
    const { output } = rig();
    output("1 Continue? ", reads(one("a", 6)));
    for (let times = 0; times < 3; times++) expect(output("1 Continue? ", reads(one("a", 6)))).toBe(false);
  });

  it("when it is not known what they have written", () => {
    const { output } = rig();
    output("1 Name: ", reads(one("a")));
    expect(output("2 Branch: ", reads(one("a")))).toBe(false);
    expect(output("3 Branch: ", reads(one("a", 7)))).toBe(false);
  });

  it("when the kernel shows what is typed behind it", () => {
    const { watch, output } = rig();
    output("1 Continue? ", reads(one("a", 6)));
    watch.onKeys();
    expect(output("1 Continue? y", reads(one("a", 6)), ECHO_WITHIN_MS)).toBe(false);
    expect(output("1 Continue? y", reads(one("a", 6)))).toBe(false);
  });

  it("when one that may be reading was never seen to write: it may have lent its terminal to another", () => {
    const { output } = rig();
    output("1 Name: ", polls(one("client", 50)));
    expect(output("2 Branch: ", polls(one("client", 50)))).toBe(false);
  });

  it("when nothing is known of the time before", () => {
    const { watch, output } = rig();
    output("1 Name: ", reads(one("a", 6)));
    watch.forget();
    expect(output("2 Branch: ", reads(one("a", 6)))).toBe(false);
  });
});

describe("a line at the bottom does not belong to the reading processes", () => {
  it.each([
    ["read", reads],
    ["may be reading", polls],
  ])("when all that %s were there before, and have written nothing", (_, state) => {
    const { output } = rig();
    output("1 Hello", state(one("a", 5), one("b", 1)));
    output("2 Version: ", state(one("a", 9), one("b", 2)));
    expect(output("3 Overwrite? ", state(one("a", 9), one("b", 2)))).toBe(true);
  });

  it("until they write again, whatever is typed there and shown meanwhile", () => {
    const { watch, output, quiet } = rig();
    output("1 Version: ", reads(one("a", 9)));
    output("2 Overwrite? ", reads(one("a", 9)));
    expect(quiet(reads(one("a", 9)))).toBe(true);
    watch.onKeys();
    expect(output("2 Overwrite? y", reads(one("a", 9)), 1)).toBe(true);
    expect(output("3 Version: ", reads(one("a", 18)))).toBe(false);
  });

  it("until one takes what is typed", () => {
    const { watch, output } = rig();
    output("1 Version: ", reads(one("a", 9)));
    output("2 Overwrite? ", reads(one("a", 9)));
    watch.onKeys();
    expect(output("3 Next: ", reads(one("a", 9, 4)), 1)).toBe(false);
  });

  it("when those who read for it do so no more, and nobody drew anything: whoever reads next does not read for it", () => {
    const { output, quiet } = rig();
    output("1 Deploy? ", reads(one("a", 9)));
    expect(quiet(NOBODY)).toBe(true);
    expect(quiet(reads(one("a", 9)))).toBe(true);
    expect(output("2 Delete? ", reads(one("a", 17)))).toBe(false);
    expect(quiet(reads(one("b", 0)))).toBe(true);
  });
});

it("a program may ask long before it reads", () => {
  const { output, quiet } = rig();
  expect(output("1 Name: ", NOBODY)).toBe(false);
  expect(quiet(NOBODY)).toBe(false);
  expect(quiet(reads(one("a", 6)))).toBe(false);
  expect(quiet(reads(one("a", 6)))).toBe(false);
});
