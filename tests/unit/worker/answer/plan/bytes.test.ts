/** An answer is turned into bytes by the adapter spec's newline policies, and a key is sent in the form that the screen asked for. */
import { describe, expect, it } from "vitest";
import type { PromptType } from "../../../../../src/model/prompt.js";
import type { NewlinePolicy } from "../../../../../src/model/answer/reply.js";
import {
  encodeAnswer,
  encodeNamedKey,
  encodeArrowKey,
  decodeEscapes,
  isOneKey,
} from "../../../../../src/worker/answer/plan/bytes.js";
import { newlineChecks } from "../../../../../src/compat/testing/prompt-rules.js";
import { registerChecks } from "../../../../support/register-checks.js";
import { makeView } from "../make.js";

const bytes = (text: string, encoding: BufferEncoding = "utf8"): number[] => [...Buffer.from(text, encoding)];

registerChecks("the adapter spec's newline policies", newlineChecks(encodeAnswer));

describe("our newline policies", () => {
  const table: [PromptType, string, NewlinePolicy, string][] = [
    ["yes_no", "n", "append", "n\r"],
    ["confirm_enter", "enter", "append", "\r"],
    ["free_text", "größe 🙂", "append", "größe 🙂\r"],
    ["free_text", "", "append", "\r"],
    ["free_text", "enter", "append", "enter\r"],
    ["free_text", "q", "none", "q"],
    ["unknown", "\n", "append", "\r"],
  ];
  it.each(table)("types %s %j by %s as %j", (type, value, policy, expected) => {
    expect([...encodeAnswer(type, value, policy)!]).toEqual(bytes(expected));
  });

  it.each(["append", "none"] as const)("refuses a line break inside a line under %s", (policy) => {
    expect(encodeAnswer("free_text", "a\nb", policy)).toBeNull();
    expect(encodeAnswer("free_text", "a\rb", policy)).toBeNull();
  });
});

describe("replace decodes as Python's unicode_escape and latin-1 do", () => {
  const decoded: [string, number[]][] = [
    ["\\x1b", [0x1b]],
    ["\\x03", [0x03]],
    ["\\u00e9", [0xe9]],
    ["\\U000000ff", [0xff]],
    ["\\101\\0\\18", [0x41, 0x00, 0x01, 0x38]],
    ["\\a\\b\\f\\n\\r\\t\\v", [7, 8, 12, 10, 13, 9, 11]],
    ["\\\\\\'\\\"", bytes("\\'\"")],
    ["\\q\\8", bytes("\\q\\8")],
    ["a\\\nb", bytes("ab")],
    ["é", bytes("é")],
    ["\\é", bytes("\\é")],
    ["\\\\x1b", bytes("\\x1b")],
  ];
  it.each(decoded)("%j", (value, expected) => {
    expect([...decodeEscapes(value)!]).toEqual(expected);
  });

  it.each(["\\u0100", "\\777", "\\ud800", "\\U00110000", "\\x3", "\\u12", "\\N{BULLET}", "x\\", "\\"])(
    "refuses %j",
    (value) => {
      expect(decodeEscapes(value)).toBeNull();
    },
  );
});

describe("keys", () => {
  it("sends arrows in the form that the screen asked for", () => {
    expect(encodeArrowKey("down", makeView([]).modes)).toBe("\u001b[B");
    expect(encodeArrowKey("left", makeView([], { modes: { applicationCursorKeys: true } }).modes)).toBe(
      "\u001bOD",
    );
  });

  it.each([
    ["down", "\u001b[B"],
    ["tab", "\t"],
    ["shift+tab", "\u001b[Z"],
    ["space", " "],
    ["7", "7"],
    ["a", "a"],
    ["ctrl+c", null],
    ["\u0003", null],
    ["", null],
  ])("sends for the name %j what a terminal sends", (name, keys) =>
    expect(encodeNamedKey(name, makeView([]).modes)).toBe(keys),
  );

  it.each([
    "1",
    "y",
    "\r",
    "\u001b",
    "\t",
    " ",
    "\u001b[A",
    "\u001bOB",
    "\u001b[1;2C",
    "\u001b[Z",
    "é",
    "🙂",
  ])("takes %j as one key", (key) => {
    expect(isOneKey(key)).toBe(true);
  });

  it.each(["", "12", "1\r", "\u001by", "\u001b[A\r", "yes"])("does not take %j as one key", (keys) => {
    expect(isOneKey(keys)).toBe(false);
  });
});
