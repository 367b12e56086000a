/** `audit verify` shows the length and the end of the audit and names its first bad row, and exits with the code for damaged state. */
import { describe, expect, it } from "vitest";
import { requireIntact } from "../../../../src/cli/commands/audit.js";

const HEAD = { count: 7, hash: "ab".repeat(32) };

describe("audit verify", () => {
  it("shows how long the audit is and where it ends", () => {
    expect(requireIntact({ rows: 7, verdict: { intact: true, head: HEAD, seals: 2 }, row: null })).toEqual({
      rows: 7,
      head: HEAD.hash,
      seals: 2,
    });
  });

  it("names the first bad row with its step and time, and ends with the code of damaged state", () => {
    const verdict = { intact: false, position: 4, problem: "changed" } as const;
    expect(() => requireIntact({ rows: 7, verdict, row: { step: "prompt_claimed", at: 0 } })).toThrow(
      expect.objectContaining({
        code: "audit_changed",
        exitCode: 8,
        message: "the audit is not intact: row 4 (prompt_claimed, 1970-01-01T00:00:00.000Z): it was changed.",
      }) as Error,
    );
  });

  it("names the rows from which the chain was started again", () => {
    const verdict = { intact: false, position: 4, problem: "made_anew", until: 6 } as const;
    expect(() => requireIntact({ rows: 7, verdict, row: null })).toThrow(
      "rows 4 to 6: from there on it is not the audit that was sealed.",
    );
  });
});
