/** Whether typed keys give the tool a task: then a menu that comes up is the tool's. */
import { describe, expect, it } from "vitest";
import { classifyTyped, type Typed } from "../../../../../src/worker/detection/live/typed-task.js";
import { shippedAdapter, drawView } from "../screens.js";

const claude = shippedAdapter("claude");

/** Claude's input box with a text in it. */
async function typedInto(text: string, keys: string): Promise<Typed> {
  const rule = "─".repeat(80);
  const view = await drawView([rule, `❯\u00a0${text}`, rule, "  ? for shortcuts"], {
    cursor: [2 + text.length, 1],
  });
  return classifyTyped(claude, view, Buffer.from(keys));
}

describe("a task that was typed at the terminal", () => {
  it.each([
    ["fix the tests", "\r"],
    ["fix the", " tests\r"],
    ["", "fix the tests\r"],
  ])("is %j and then %j", async (text, keys) => expect(await typedInto(text, keys)).toBe("task"));

  it.each([
    ["/model", "\r"],
    ["/model opus now", "\r"],
    ["!rm -rf build", "\r"],
    ["exit", "\r"],
    ["fix the tests", "\t"],
    ["fix the tests", "\u001b[Z"],
  ])("is certainly not %j and then %j", async (text, keys) =>
    expect(await typedInto(text, keys)).toBe("no task"),
  );

  it.each([
    ["config", "\r"],
    ["fix the tests", "\u001b[A\r"],
    ["", "\r"],
  ])("may be %j and then %j", async (text, keys) =>
    expect(await typedInto(text, keys)).toBe("perhaps a task"),
  );

  it("is not known where no input box is drawn", async () =>
    expect(classifyTyped(claude, await drawView(["Do it now? (y/n)"]), Buffer.from("yes do\r"))).toBe(
      "perhaps a task",
    ));
});
