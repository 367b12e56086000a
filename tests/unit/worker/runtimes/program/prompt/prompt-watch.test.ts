/** What the program prints, and whether it reads, decides where it is. */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../../../src/observe/clock.js";
import { ModeDetector } from "../../../../../../src/worker/runtimes/program/prompt/mode-detector.js";
import { PromptWatch } from "../../../../../../src/worker/runtimes/program/prompt/prompt-watch.js";
import { readShipped } from "../../../../../support/program/open.js";
import { OWN_TERMINAL } from "../../../../../support/program/own-terminal.js";

function submitLine() {
  const { program } = readShipped("fish");
  const clock = new ManualClock();
  const watch = new PromptWatch({
    program,
    modes: new ModeDetector(program),
    clock,
    owner: OWN_TERMINAL,
    isReading: () => true,
    typedAt: () => -Infinity,
    columns: () => 80,
    onPhase: () => undefined,
  });
  watch.onMark({ kind: "prompt", values: [] });
  watch.onMark({ kind: "input", values: [] });
  watch.noteSubmitted();
  return { watch, clock };
}

it("a shell that has printed nothing since the line was typed may not have run yet", () => {
  const { watch, clock } = submitLine();
  clock.advance(60_000);
  expect(watch.phase).toBe("running");
});

it("a shell that echoes the line, begins no command and reads holds it in its editor", () => {
  const { watch, clock } = submitLine();
  watch.onOutput(Buffer.from("if true"));
  clock.advance(299);
  expect(watch.phase).toBe("running");
  clock.advance(1);
  expect(watch.phase).toBe("continuation");
});

describe("a prompt of a program of which it is not always known whether it reads", () => {
  function watchGdb() {
    const { program } = readShipped("gdb");
    const clock = new ManualClock();
    let reading: boolean | undefined;
    const watch = new PromptWatch({
      program,
      modes: new ModeDetector(program),
      clock,
      owner: OWN_TERMINAL,
      isReading: () => reading,
      typedAt: () => -Infinity,
      columns: () => 80,
      onPhase: () => undefined,
    });
    return { watch, clock, set: (next: boolean | undefined) => (reading = next) };
  }

  it("is believed when it is not known at eight looks in a row", () => {
    const { watch, clock, set } = watchGdb();
    watch.onOutput(Buffer.from("(gdb) "));
    set(false);
    clock.advance(500);
    set(undefined);
    clock.advance(175);
    set(false);
    clock.advance(25);
    set(undefined);
    clock.advance(175);
    expect(watch.phase).toBe("starting");
    clock.advance(25);
    expect(watch.phase).toBe("prompt");
  });

  it("is found behind output without a line feed once it has been quiet", () => {
    const { watch, clock } = watchGdb();
    watch.onOutput(Buffer.from("abc(gdb) "));
    clock.advance(299);
    expect(watch.phase).toBe("starting");
    clock.advance(200);
    expect(watch.phase).toBe("prompt");
    expect(watch.promptLine).toBe("(gdb) ");
  });
});

describe("a program that marks no end of its prompt", () => {
  function watchBash(typedAt = -Infinity) {
    const { program } = readShipped("bash");
    const clock = new ManualClock();
    const watch = new PromptWatch({
      program,
      modes: new ModeDetector(program),
      clock,
      owner: OWN_TERMINAL,
      isReading: () => true,
      typedAt: () => typedAt,
      columns: () => 80,
      onPhase: () => undefined,
    });
    return { watch, clock };
  }

  it("has drawn it once it is quiet, and nothing stands behind it then", () => {
    const { watch, clock } = watchBash();
    watch.onMark({ kind: "prompt", values: [] });
    watch.onOutput(Buffer.from("user$ "));
    clock.advance(99);
    expect(watch.phase).toBe("drawing");
    clock.advance(1);
    expect(watch.phase).toBe("prompt");
    expect(watch.input.isEmpty).toBe(true);
    watch.onOutput(Buffer.from("ls"));
    expect(watch.input.isEmpty).toBe(false);
  });

  it("has perhaps drawn a line behind it where a person has typed", () => {
    const { watch, clock } = watchBash(0);
    watch.onMark({ kind: "prompt", values: [] });
    watch.onOutput(Buffer.from("user$ ls"));
    clock.advance(100);
    expect(watch.input.isEmpty).toBe(false);
  });

  it("is at no prompt because of a mark of an end that no begin stands before", () => {
    const { watch } = watchBash();
    watch.onMark({ kind: "input", values: [] });
    expect(watch.phase).toBe("starting");
    watch.onMark({ kind: "prompt", values: [] });
    watch.onMark({ kind: "input", values: [] });
    expect(watch.phase).toBe("prompt");
  });
});
