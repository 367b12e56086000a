/** The command that continues a tool's session is a whole row of its last screen, and nothing that a shell would take for more. */
import { expect, it } from "vitest";
import { findResumeCommand } from "../../../../src/worker/detection/resume-command.js";
import { shippedAdapter } from "./screens.js";

const ID = "e8cffdc8-aa68-4a65-a2af-37a7821a3737";

it.each([
  ["claude", `Resume this session with:\nclaude --resume ${ID}`, `claude --resume ${ID}`],
  ["codex", `To continue this session, run:\n  codex resume ${ID}\n`, `codex resume ${ID}`],
  ["claude", `claude --resume ${ID}; rm -rf ~`, null],
  ["claude", `say: claude --resume ${ID}`, null],
  ["claude", `  claude --resume ${ID}`, null],
  ["claude", `claude --resume ${ID}\n\n  ? for shortcuts`, null],
  ["codex", `codex resume ${ID}`, null],
  ["claude", "", null],
  ["generic", `claude --resume ${ID}`, null],
])("of %s: %j", (tool, screen, command) => {
  expect(findResumeCommand(shippedAdapter(tool), screen)).toBe(command);
});
