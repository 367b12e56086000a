import { describe, expect, it } from "vitest";
import { findComposer, isCommand } from "../../../src/worker/detect/composer.js";
import { shippedAdapter } from "./screens.js";

describe.each(["claude", "codex", "gemini", "qwen"])("the input box of %s", (name) => {
  const { composer } = shippedAdapter(name);

  it.each(["/quit", "!rm -rf /", "@secrets.env", "  !ls", "\n/clear"])(
    "would take %j for a command",
    (text) => {
      expect(composer && isCommand(composer, text)).toBe(true);
    },
  );

  it.each(["run the tests", "why is 1/2 wrong!", "", "größer", "- a list", "3. third"])(
    "takes %j as words",
    (text) => {
      expect(composer && isCommand(composer, text)).toBe(false);
    },
  );
});

it("a tool whose input box is not known has no commands either", () => {
  expect(findComposer({ composer: null }, null as never)).toBeNull();
});
