/** Text of a tool or an error is written to the user's terminal without control sequences. */
import { afterEach, expect, it, vi } from "vitest";
import { announce } from "../../../../../src/worker/session/host/announce.js";
import { printMessage, printError } from "../../../../../src/cli/output.js";
import { AtlasBridgeError } from "../../../../../src/model/errors.js";

const HOSTILE = "no\u001b]0;pwned\u0007\u001b[2J\u009b2J\u202e";

afterEach(() => vi.restoreAllMocks());

it.each([
  ["lines around a session", () => announce(["a line", HOSTILE, null])],
  [
    "an error with a tool's words in it",
    () => printError(new AtlasBridgeError("ATB_TOOL_START_FAILED", HOSTILE)),
  ],
  ["a hint", () => printMessage("no", HOSTILE)],
  ["a bug", () => printError(new Error(HOSTILE))],
])("text of a tool is written without control sequences: %s", (_, say) => {
  let said = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => (said += String(text)) !== "");
  say();
  expect(said).toContain("‹U+001B›");
  expect(said).toMatch(/\n$/);
  expect(said).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
});
