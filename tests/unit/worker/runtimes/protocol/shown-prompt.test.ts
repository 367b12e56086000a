/** The prompt that keys answer is always the last text on the terminal, and none is answered before it was drawn. */
import { describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../../../src/model/prompt.js";
import { ShownPrompt } from "../../../../../src/worker/runtimes/protocol/shown-prompt.js";

/** What a person reads, and the questions that wait. */
function terminal() {
  let read = "";
  const waiting: PromptEvent[] = [];
  const standing: ShownPrompt = new ShownPrompt({
    first: () => waiting[0] ?? null,
    draw: ({ excerpt }) => standing.print(`? ${excerpt}\n`),
    show: (text) => (read += text),
  });
  return {
    standing,
    print: (text: string) => standing.print(text),
    ask: (excerpt: string) => {
      waiting.push({ promptId: excerpt, excerpt } as unknown as PromptEvent);
      standing.update();
    },
    /** Without telling: an answer from elsewhere is on its way. */
    leave: () => void waiting.shift(),
    answer: () => {
      waiting.shift();
      standing.update();
    },
    read: () => read,
    asking: () => standing.currentPrompt?.excerpt ?? null,
  };
}

describe("the prompt that keys answer", () => {
  it("is the last thing on the terminal until it is answered", () => {
    const { print, ask, answer, read, asking } = terminal();
    print("I begin.\n");
    ask("Run rm -rf ~");
    print("\n".repeat(40));
    print("? Run ls\n  1. Yes\n");
    expect(read()).toBe("I begin.\n? Run rm -rf ~\n");
    expect(asking()).toBe("Run rm -rf ~");
    answer();
    expect(read()).toContain("? Run ls\n  1. Yes\n");
    expect(asking()).toBeNull();
    print("done");
    expect(read().endsWith("done")).toBe(true);
  });

  it("is drawn in its turn, and none is answered that was not drawn", () => {
    const { print, ask, answer, leave, read, asking } = terminal();
    ask("first");
    ask("second");
    expect(read()).toBe("? first\n");
    leave();
    expect(asking()).toBeNull();
    print("word ");
    expect(read()).toBe("? first\n? second\n");
    expect(asking()).toBe("second");
    answer();
    expect(read()).toBe("? first\n? second\nword ");
  });

  it("is reported at once when it is over, above the next text", () => {
    const { standing, ask, print, answer, read } = terminal();
    ask("first");
    ask("second");
    print("meanwhile\n");
    const event = (promptId: string) => ({ promptId }) as unknown as PromptEvent;
    expect(standing.showOutcome(event("second"), "no")).toBe(false);
    expect(standing.showOutcome(event("first"), "→ first")).toBe(true);
    answer();
    expect(read()).toBe("? first\n→ first\nmeanwhile\n? second\n");
  });

  it("is drawn again below a tool that does not stop talking", () => {
    const { print, ask, read, asking } = terminal();
    ask("Run rm -rf ~");
    const lines = Array.from({ length: 70_000 }, (_, at) => String(at % 10));
    for (const line of lines) print(line);
    expect(read()).toMatch(/^\? Run rm -rf ~\n[0-9]{65537}\? Run rm -rf ~\n$/);
    expect(asking()).toBe("Run rm -rf ~");
  });
});
