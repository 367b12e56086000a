/** `doctor` prints its checks by group, with what to do below each, and a verdict that counts warnings. */
import { expect, it } from "vitest";
import type { Check } from "../../../../src/doctor/check.js";
import { formatDiagnosis } from "../../../../src/cli/commands/doctor.js";

const NODE: Check = { group: "runtime", name: "node", state: "ok", found: "Node 24.21.0", action: null };
const DISK: Check = {
  group: "files",
  name: "disk",
  state: "warn",
  found: "3 MiB free",
  action: "Make room.",
};
const CONFIG: Check = {
  group: "configuration",
  name: "config",
  state: "fail",
  found: "config.yaml:1:1: no\nconfig.yaml:2:1: no either",
  action: null,
};

it("doctor prints its checks by group, what to do below each, and a verdict", () => {
  expect(formatDiagnosis({ state: "fail", version: "1.2.3", checks: [NODE, DISK, CONFIG] })).toEqual([
    "AtlasBridge 1.2.3",
    "",
    "runtime",
    "  ok    node: Node 24.21.0",
    "",
    "files",
    "  warn  disk: 3 MiB free",
    "        → Make room.",
    "",
    "configuration",
    "  FAIL  config: config.yaml:1:1: no",
    "        config.yaml:2:1: no either",
    "",
    "To be fixed: config. 1 warning.",
  ]);
});

it("doctor's verdict counts warnings, and says when there is no fault", () => {
  const verdict = (...checks: Check[]) => formatDiagnosis({ state: "ok", version: "1", checks }).at(-1);
  expect(verdict(NODE)).toBe("Everything works.");
  expect(verdict(NODE, DISK, DISK)).toBe("Everything needed works. 2 warnings above (`warn`).");
});
