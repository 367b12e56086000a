/** A text counts as a command of a tool's input box only where that tool takes it as one. */
import { describe, expect, it } from "vitest";
import { findComposer, isCommand } from "../../../../src/worker/detection/composer.js";
import { shippedAdapter } from "./screens.js";

/** What each tool's own code compares a whole input with; Codex and Gemini CLI take both for words. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  claude: ["exit", "quit"],
  codex: [],
  copilot: ["exit", "quit"],
  gemini: [],
  opencode: ["exit", "quit"],
  qwen: ["exit", "quit"],
};

describe.each(Object.entries(ENDS))("the input box of %s", (name, ends) => {
  const adapter = shippedAdapter(name);

  it.each([
    "/quit",
    "!rm -rf /",
    "@secrets.env",
    "  !ls",
    "\n/clear",
    "#note",
    "?",
    "$skill",
    ":q",
    "& go",
    "*",
  ])("would take %j for a command", (text) => expect(isCommand(adapter, text)).toBe(true));

  it.each(["exit", " Exit ", "QUIT", "quit\n", "bye"])(
    "takes %j as a command only if it is one there, although it begins like text",
    (text) => expect(isCommand(adapter, text)).toBe(ends.includes(text.trim().toLowerCase())),
  );

  it.each([
    "run the tests",
    "why is 1/2 wrong!",
    "",
    "größer",
    "- a list",
    "3. third",
    "“so” it says",
    "'exit' is missing",
    "`npm test` fails",
    "(maybe) later",
    "¿Por qué?",
    "exit codes are wrong",
    "quit?",
    "测试",
  ])("takes %j as words", (text) => expect(isCommand(adapter, text)).toBe(false));
});

it("a tool without an input box has no commands either", () => {
  expect(findComposer({ composer: null }, null as never)).toBeNull();
  expect(isCommand({ commands: null }, "/usr/bin")).toBe(false);
});
