/** A test file that sometimes fails without a fault of the product. The gate leaves it out; `npm run verify` runs it. */
export interface Quarantined {
  readonly file: string;
  readonly reason: string;
  /** The day on which it was quarantined, as 2026-11-28. */
  readonly since: string;
}

export const QUARANTINE: readonly Quarantined[] = [
  {
    file: "tests/e2e/phone-rows.test.ts",
    reason:
      "it takes every row of every dialog, and on a busy machine one of some hundred answers is told as uncertain, as it may be",
    since: "2026-11-24",
  },
  {
    file: "tests/pty/worker/integrations/opencode/attachment-hostile.test.ts",
    reason:
      "on a busy machine the adapter once looked twice, and not once, at a port that another program had taken",
    since: "2026-11-24",
  },
  {
    file: "tests/pty/worker/runtimes/program/imitated-prompt.test.ts",
    reason:
      "beside the whole suite the output behind an imitated prompt of sqlite3 was once empty, and nobody knows why: an answer that comes too early does not cause it",
    since: "2026-11-29",
  },
];
