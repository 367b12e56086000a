/** A key that draws nothing and changes what the next keys do keeps lines from outside away until Enter or Ctrl-C. */
import { describe, expect, it } from "vitest";
import { HiddenKeys } from "../../../../../../src/worker/runtimes/program/prompt/hidden-keys.js";

function isPressed(...pieces: string[]): boolean {
  const keys = new HiddenKeys();
  for (const piece of pieces) keys.onTyped(Buffer.from(piece, "latin1"));
  return keys.pressed;
}

describe("a key that draws nothing", () => {
  it.each([
    ["Esc", "\x1b"],
    ["Esc twice", "\x1b\x1b"],
    ["Alt with a letter", "\x1bf"],
    ["a digit argument", "\x1b5"],
    ["Ctrl-X", "\x18"],
    ["Ctrl-V", "\x16"],
    ["Ctrl-R, a search", "\x12"],
    ["Ctrl-]", "\x1d"],
    ["Esc, and then an erased letter", "\x1b h\x7f"],
  ])("counts: %s", (_name, keys) => {
    expect(isPressed(keys)).toBe(true);
  });

  it.each([
    ["letters that were erased", "echo\x7f\x7f\x7f\x7f"],
    ["Ctrl-A, Ctrl-E, Ctrl-U, Ctrl-W, Ctrl-L", "\x01\x05\x15\x17\x0c"],
    ["arrows in both modes", "\x1b[A\x1bOB\x1b[1;5C"],
    ["a paste that was erased", "\x1b[200~text\x1b[201~\x15"],
    ["the terminal's own answers", "\x1b[?1;2c\x1b]11;rgb:0/0/0\x1b\\\x1bP1$r0m\x1b\\\x1b]4;1\x07"],
    ["letters beyond ASCII", "\xc3\xa9\x7f"],
  ])("is none of: %s", (_name, keys) => {
    expect(isPressed(keys)).toBe(false);
    expect(isPressed(...keys)).toBe(false);
  });

  it.each(["\r", "\n", "\x03"])("counts no more after %j", (key) => {
    expect(isPressed(`\x1b h\x18`, key)).toBe(false);
  });

  it("still counts after Enter directly behind Esc, which is a key of its own and sends nothing", () => {
    expect(isPressed("\x1b", "\r")).toBe(true);
    expect(new HiddenKeys().onTyped(Buffer.from("\x1b\r"))).toBeNull();
    expect(isPressed("\x1b", "\r", "\r")).toBe(false);
    expect(isPressed("\x1b", "\x03")).toBe(false);
  });

  it.each(["\x1bp", "\x1bP", "\x1b]", "\x1b_"])(
    "ends with Enter or Ctrl-C also behind Alt with a letter: %j",
    (key) => {
      expect(isPressed(key)).toBe(true);
      expect(isPressed(key, "\r")).toBe(false);
      expect(isPressed(key, "\x03")).toBe(false);
    },
  );

  it("counts as long as an escape sequence has not ended", () => {
    expect(isPressed("\x1b[")).toBe(true);
    expect(isPressed("\x1b[", "A")).toBe(false);
  });
});
