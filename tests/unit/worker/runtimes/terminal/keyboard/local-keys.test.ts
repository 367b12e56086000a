/**
 * Keys that are pressed at the terminal while an answer is typed are held back in order, and are dropped when they could answer
 * another prompt.
 */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../../../src/observe/clock.js";
import { LocalKeys } from "../../../../../../src/worker/runtimes/terminal/keyboard/local-keys.js";
import { TypedKeys } from "../../../../../../src/worker/runtimes/terminal/keyboard/typed-keys.js";
import type { JoinedPrompt } from "../../../../../../src/worker/runtimes/terminal/joined/joined-prompt.js";

function rig() {
  const clock = new ManualClock();
  const prompt = {
    drawn: { candidate: { committingKeys: ["1", "\r"] } },
    askedAt: clock.monotonic(),
  } as unknown as JoinedPrompt;
  const prompts: { drawnPrompt: JoinedPrompt | null; promptBeingAnswered: JoinedPrompt | null } = {
    drawnPrompt: prompt,
    promptBeingAnswered: null,
  };
  const written: string[] = [];
  const typedKeys = new TypedKeys(clock, (text) => text);
  const ignore = (): undefined => undefined;
  const write = (bytes: Uint8Array): Promise<number> => {
    written.push(Buffer.from(bytes).toString());
    return Promise.resolve(bytes.length);
  };
  const keys = new LocalKeys({
    prompts,
    typedKeys,
    signals: { onKeys: ignore },
    recording: { onTyped: ignore },
    detector: { onTyped: ignore, onClicked: ignore },
    terminal: { write, readInputMode: () => null },
  });
  const type = (text: string, typed = true): void => keys.take(Buffer.from(text), typed);
  return { keys, typedKeys, type, written, prompts, prompt, clock };
}

describe("local keys", () => {
  it("go to the tool at once", () => {
    const { type, written, clock, typedKeys } = rig();
    type("a");
    expect(written).toEqual(["a"]);
    expect(typedKeys.typedAt).toBe(clock.monotonic());
  });

  it("are held back, in order, while an answer is typed, mouse reports too", () => {
    const { type, written, keys, prompts, prompt } = rig();
    prompts.promptBeingAnswered = prompt;
    keys.hold();
    type("a");
    type("\u001b[<35;1;1M", false);
    type("b");
    expect(written).toEqual([]);
    keys.release(false);
    expect(written).toEqual(["a", "\u001b[<35;1;1M", "b"]);
  });

  it("are dropped when they would answer and the question they were typed at is gone", () => {
    const { type, written, keys, prompts, prompt } = rig();
    prompts.promptBeingAnswered = prompt;
    keys.hold();
    type("1");
    prompts.drawnPrompt = null;
    keys.release(true);
    expect(written).toEqual([]);
  });

  it("are dropped when they would answer and we moved the highlight under them", () => {
    const { type, written, keys, prompts, prompt } = rig();
    prompts.promptBeingAnswered = prompt;
    keys.hold();
    type("\r");
    keys.release(true);
    expect(written).toEqual([]);
  });

  it("submit no text of ours: Enter is dropped while a task stands in the input box, words are not", () => {
    const { type, written, keys } = rig();
    keys.hold();
    type("\r");
    keys.release(true);
    keys.hold();
    type("\u001b[13u");
    keys.release(true);
    expect(written).toEqual([]);
    keys.hold();
    type("words");
    keys.release(true);
    keys.hold();
    type("\r");
    keys.release(false);
    expect(written).toEqual(["words", "\r"]);
  });

  it("still answer when nothing of ours went in", () => {
    const { type, written, keys, prompts, prompt, typedKeys } = rig();
    prompts.promptBeingAnswered = prompt;
    keys.hold();
    type("1");
    keys.release(false);
    expect(written).toEqual(["1"]);
    expect(typedKeys.committed).toBe(prompt);
  });

  it("answered a prompt whose dialog is drawn if they were its keys, one that is not drawn whatever they were", () => {
    const { type, prompt, prompts, clock, typedKeys } = rig();
    const undrawn = { ...prompt, drawn: null } as unknown as JoinedPrompt;
    expect([typedKeys.hasAnswered(prompt), typedKeys.hasAnswered(undrawn)]).toEqual([false, false]);
    prompts.drawnPrompt = null;
    type("1");
    expect([typedKeys.hasAnswered(prompt), typedKeys.hasAnswered(undrawn)]).toEqual([false, true]);
    prompts.drawnPrompt = prompt;
    type("1");
    clock.advance(2000);
    expect([typedKeys.hasAnswered(prompt), typedKeys.hasAnswered(undrawn)]).toEqual([true, true]);
    clock.advance(3001);
    expect([typedKeys.hasAnswered(prompt), typedKeys.hasAnswered(undrawn)]).toEqual([false, false]);
  });

  it.each([
    ["a character", "y", true, true],
    ["Esc as kitty's keyboard protocol tells it", "\u001b[27u", true, true],
    ["a click, which is told as reports are", "\u001b[<0;10;5M", false, true],
    ["an arrow", "\u001b[B", true, false],
    ["a paste", "\u001b[200~yes\u001b[201~", true, false],
    ["the mouse that moves", "\u001b[<35;10;5M", false, false],
    ["a button that is let go", "\u001b[<0;10;5m", false, false],
    ["a part of a report", "1;2c", false, false],
  ])("may have answered what the tool says is over: %s", (_, text, typed, may) => {
    const { type, prompt, clock, typedKeys } = rig();
    type(text, typed);
    expect(typedKeys.hasAnswered(prompt, true)).toBe(may);
    clock.advance(5001);
    expect(typedKeys.hasAnswered(prompt, true)).toBe(false);
  });

  it("answered no request that came later, such as the Enter that gave the task", () => {
    const { type, prompt, clock, typedKeys } = rig();
    type("do it\r");
    clock.advance(700);
    const request = {
      ...prompt,
      askedAt: clock.monotonic(),
      drawn: null,
    } as unknown as JoinedPrompt;
    expect([typedKeys.hasAnswered(request), typedKeys.hasAnswered(request, true)]).toEqual([false, false]);
    const late = { ...request, askedAt: clock.monotonic() - 500 } as unknown as JoinedPrompt;
    expect(typedKeys.hasAnswered(late)).toBe(true);
  });

  it("do not count what the terminal itself answers", () => {
    const { type, typedKeys } = rig();
    type("\u001b[I", false);
    expect(typedKeys.typedAt).toBe(-Infinity);
    expect(typedKeys.committed).toBeNull();
  });
});
