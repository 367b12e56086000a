/** A prompt of a tool that is talked to takes an answer only from keys that were typed after it could be read. */
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../../../src/model/prompt.js";
import { createRefusal, type Refusal } from "../../../../../src/model/answer/refusal.js";
import { ManualClock } from "../../../../../src/observe/clock.js";
import { HostTerminal } from "../../../../../src/worker/session/host/host-terminal.js";
import { LineTerminal } from "../../../../../src/worker/session/repl/line-terminal.js";
import { hostIo } from "../../../../support/host-io.js";
import { promptEvent } from "../../../../support/prompts.js";
import { waitFor } from "../../../../support/wait-for.js";

/** No less than how long nobody may have typed before a key answers. */
const CALM_MS = 400;

async function terminal(refusal: Refusal | null = null, takesTasks = true) {
  const clock = new ManualClock();
  const input = new PassThrough();
  const heard: string[] = [];
  let shown = "";
  let notify = (): void => undefined;
  const tool = {
    ready: Promise.resolve(),
    exited: new Promise<never>(() => undefined),
    currentPrompt: null as PromptEvent | null,
    answerHere: (id: unknown, value: string) => {
      heard.push(`${String(id)}: ${value}`);
      if (!refusal) tool.currentPrompt = null;
      return refusal;
    },
    onPromptChange: (listener: () => void) => (notify = listener),
    readStream: async function* () {},
    cancel: () => undefined,
    terminateSession: () => Promise.resolve(),
  };
  const measure = () => ({ cols: 80, rows: 24 });
  const io = hostIo({ input, output: new PassThrough(), events: new EventEmitter(), measure });
  const lines = new LineTerminal({
    tool,
    host: new HostTerminal({ ...io, hasKeys: true }),
    sessionId: "s" as never,
    clock,
    onTyped: () => undefined,
    isAnsweredHere: true,
    takesTasks,
    isShown: true,
    say: (text) => (shown += text),
    onTask: (text) => heard.push(`task: ${text}`),
    onPipedInput: () => undefined,
    onInterrupt: () => heard.push("(interrupt)"),
    onEndKey: () => heard.push("(end)"),
    onInputEnd: () => undefined,
    onEndSignal: () => undefined,
    onOutputLost: () => undefined,
  });
  await lines.open();
  const ask = (id: string | null): void => {
    tool.currentPrompt = id === null ? null : { ...promptEvent(), promptId: id as PromptEvent["promptId"] };
    notify();
  };
  /** Resolves when the keys have been read. */
  const press = async (keys: string): Promise<void> => {
    input.write(keys);
    await waitFor(() => expect(input.readableLength).toBe(0));
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { lines, ask, press, clock, heard, shown: () => shown };
}

describe("a prompt at the terminal of a tool that is talked to", () => {
  it("takes no key that was typed before anybody could read it: such keys stay in the next task", async () => {
    const { lines, ask, press, clock, heard } = await terminal();
    ask("one");
    clock.advance(CALM_MS - 1);
    await press("2\r");
    clock.advance(CALM_MS - 1);
    await press("3");
    clock.advance(CALM_MS);
    await press("1\r");
    lines.setTaskWanted(true);
    await press("\r");
    expect(heard).toEqual(["one: 1", "task: 2\n3"]);
  });

  it("has an age that a repeated report of the same prompt does not renew, and each prompt its own", async () => {
    const { ask, press, clock, heard } = await terminal();
    ask("one");
    clock.advance(CALM_MS);
    ask("one");
    await press("2");
    ask("two");
    await press("3\r");
    clock.advance(CALM_MS);
    await press("1");
    await press("\r");
    expect(heard).toEqual(["two: 1"]);
  });

  it("tells why an answer was not taken, and takes another one", async () => {
    const refusal = createRefusal("option_unknown");
    const { ask, press, clock, heard, shown } = await terminal(refusal);
    ask("one");
    clock.advance(CALM_MS);
    await press("7\r");
    await press("8\r");
    expect(heard).toEqual(["one: 7", "one: 8"]);
    expect(shown()).toContain(refusal.text);
  });

  it("does not take keys at once for what its first answer has revealed", async () => {
    const { ask, press, clock, heard } = await terminal(createRefusal("hidden"));
    ask("one");
    clock.advance(CALM_MS);
    await press("1\r");
    await press("1\r");
    expect(heard).toEqual(["one: 1"]);
  });

  it.each([true, false])(
    "is not asked: Esc ends a turn only where tasks are taken (%s)",
    async (takesTasks) => {
      const { press, heard } = await terminal(null, takesTasks);
      await press("\u001b");
      expect(heard).toEqual(takesTasks ? ["(interrupt)"] : []);
    },
  );

  it("leaves Ctrl-C what it is, however fast it comes, and Ctrl-D does not end it", async () => {
    const { ask, press, clock, heard } = await terminal();
    ask("one");
    await press("\u0003");
    clock.advance(CALM_MS);
    await press("12");
    await press("\u001b");
    await press("\u0004");
    ask(null);
    await press("\u0004");
    expect(heard).toEqual(["(interrupt)", "(interrupt)", "(end)"]);
  });
});
