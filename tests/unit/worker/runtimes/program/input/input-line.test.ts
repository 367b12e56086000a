/** A line for a running command is typed only where what reads there gets the whole of it, and nothing else. */
import { describe, expect, it } from "vitest";
import { findAlteration } from "../../../../../../src/worker/runtimes/program/input/input-line.js";

const WHOLE_LINES = { canonical: true, blockedOnRead: true };
const KEYS = { canonical: false, blockedOnRead: true };

describe("a line of more bytes than the kernel's line editor takes", () => {
  const long = "x".repeat(4001);

  it("is refused where that edits the line, or may do so", () => {
    expect(findAlteration(long, WHOLE_LINES)).toContain("longer than 4000 bytes");
    expect(findAlteration(long, {})).toContain("longer than 4000 bytes");
    expect(findAlteration("ü".repeat(2001), WHOLE_LINES)).toContain("longer than 4000 bytes");
  });

  it("is typed for a program that reads keys", () => {
    expect(findAlteration(long, KEYS)).toBeNull();
    expect(findAlteration("x".repeat(4000), WHOLE_LINES)).toBeNull();
  });
});

describe("a tab", () => {
  it("is typed for a program that waits for a whole line", () => {
    expect(findAlteration("a\tb", WHOLE_LINES)).toBeNull();
  });

  it("is refused where a line editor reads it, or may read it later", () => {
    expect(findAlteration("a\tb", KEYS)).toContain("a tab");
    expect(findAlteration("a\tb", { canonical: true, blockedOnRead: false })).toContain("a tab");
    expect(findAlteration("a\tb", {})).toContain("a tab");
  });
});
