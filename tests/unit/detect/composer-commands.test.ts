import { describe, expect, it } from "vitest";
import { findComposer, isCommand } from "../../../src/worker/detect/composer.js";
import { shippedAdapter } from "./screens.js";

/** What ends most of them at once when it is typed into their input boxes. */
const ENDS = ["exit", "quit"];

describe.each(["claude", "codex", "copilot", "gemini", "opencode", "qwen"])("the input box of %s", (name) => {
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

  it.each(ENDS.flatMap((word) => [word, ` ${word} `, word.toUpperCase(), `${word}\n`]))(
    "would take %j for a command, though it begins as words do",
    (text) => expect(isCommand(adapter, text)).toBe(true),
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
