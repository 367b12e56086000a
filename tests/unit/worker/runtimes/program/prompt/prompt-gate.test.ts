/** No line is typed while one that a person has begun may not be drawn yet. */
import { expect, it } from "vitest";
import { ManualClock } from "../../../../../../src/observe/clock.js";
import { Changes } from "../../../../../../src/worker/runtimes/program/changes.js";
import type { ProgramPort } from "../../../../../../src/worker/runtimes/program/program-port.js";
import { ModeDetector } from "../../../../../../src/worker/runtimes/program/prompt/mode-detector.js";
import { PromptGate } from "../../../../../../src/worker/runtimes/program/prompt/prompt-gate.js";
import { PromptWatch } from "../../../../../../src/worker/runtimes/program/prompt/prompt-watch.js";
import { readShipped } from "../../../../../support/program/open.js";
import { OWN_TERMINAL } from "../../../../../support/program/own-terminal.js";

const TYPING = "somebody is typing at the terminal";

function open() {
  const { program } = readShipped("zsh");
  const clock = new ManualClock();
  let reads: boolean | undefined;
  let typedAt = -Infinity;
  /** Printed, and not read yet. */
  let unread = "";
  const watch: PromptWatch = new PromptWatch({
    program,
    modes: new ModeDetector(program),
    clock,
    owner: OWN_TERMINAL,
    isReading: () => reads,
    typedAt: () => typedAt,
    columns: () => 80,
    onPhase: () => undefined,
  });
  const readNow = (): boolean => {
    watch.onOutput(Buffer.from(unread));
    const hasRead = unread !== "";
    unread = "";
    return hasRead;
  };
  const port = {
    terminal: { alive: true, readNow },
    typedAt: () => typedAt,
    reportedAt: () => -Infinity,
    findReaders: () => ({ blocked: reads, readers: [] }),
  } as unknown as ProgramPort;
  const partialLine = { hasHiddenKey: false, stands: () => false };
  const { capabilities } = program;
  const gate = new PromptGate({
    port,
    clock,
    watch,
    owner: OWN_TERMINAL,
    partialLine,
    changes: new Changes(clock),
    changed: { isFound: false },
    capabilities,
    isProven: true,
  });
  watch.onMark({ kind: "input", values: [] });
  watch.noteSubmitted();
  return {
    gate,
    clock,
    type: () => void (typedAt = clock.monotonic()),
    drawPrompt: () => {
      watch.onMark({ kind: "prompt", values: [] });
      watch.onMark({ kind: "input", values: [] });
    },
    print: (text: string) => void (unread += text),
    setReads: (is: boolean) => void (reads = is),
  };
}

it("what was typed before a prompt may be drawn for some time behind it", async () => {
  const { gate, clock, type, drawPrompt, print } = open();
  clock.advance(1000);
  type();
  clock.advance(1000);
  drawPrompt();
  expect(await gate.check()).toBe(TYPING);
  clock.advance(149);
  expect(await gate.check()).toBe(TYPING);
  clock.advance(1);
  expect(await gate.check()).toBeNull();
  // A prompt that is drawn again is followed by the line that stands at it.
  drawPrompt();
  expect(await gate.check()).toBe(TYPING);
  print("ls");
  clock.advance(1000);
  expect(await gate.check()).toBe(TYPING);
});

it("and longer, while the program is seen not to read", async () => {
  const { gate, clock, type, drawPrompt, setReads } = open();
  clock.advance(1000);
  type();
  drawPrompt();
  setReads(false);
  clock.advance(60_000);
  expect(await gate.check()).toBe(TYPING);
  setReads(true);
  expect(await gate.check()).toBeNull();
});

it("a prompt at which nobody has typed is free at once", async () => {
  const { gate, drawPrompt, setReads } = open();
  setReads(false);
  drawPrompt();
  expect(await gate.check()).toBeNull();
});
