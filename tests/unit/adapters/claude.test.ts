/** Claude's input box for a command of the shell is no prompt, and takes no task. */
import { describe, expect, it } from "vitest";
import { detectOn, shippedAdapter } from "../worker/detection/screens.js";

describe("claude's input box for a command of the shell", () => {
  const rule = "─".repeat(80);

  it.each(["", "git status"])("is idle with %j in it", async (text) => {
    const found = await detectOn(shippedAdapter("claude"), [
      rule,
      `!\u00a0${text}`,
      rule,
      "  ! for shell mode",
    ]);
    expect(found).toMatchObject({ state: "idle" });
  });
});
