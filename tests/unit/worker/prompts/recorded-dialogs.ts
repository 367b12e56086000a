/** Dialogs of tools as they were recorded, and what their hooks tell of such. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Candidate } from "../../../../src/sdk/candidate.js";
import {
  readToolCall,
  readPreviewedCall,
  type ToolCallRequest,
} from "../../../../src/worker/prompts/tool-call-request.js";
import type { RecordingEvent } from "../../../../src/worker/screen/recording-event.js";
import { replay } from "../../../../prompt-lab/replay/replay.js";
import { shippedAdapter } from "../detection/screens.js";

const claude = shippedAdapter("claude");

interface Scenario {
  readonly cols: number;
  readonly rows: number;
  readonly recording_file: string;
}

export async function replayDialog(name: string, tool = "claude"): Promise<Candidate> {
  const folder = `prompt-lab/scenarios/${tool}`;
  const scenario = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as Scenario;
  const lines = readFileSync(join(folder, scenario.recording_file), "utf8").trim().split("\n");
  const recording = lines.map((line) => JSON.parse(line) as RecordingEvent);
  const { pending } = await replay(shippedAdapter(tool), recording, scenario);
  if (!pending) throw new Error(`${name} asks nothing`);
  return pending.candidate;
}

export function call(tool: string, input: object): ToolCallRequest {
  const body = { tool_name: tool, tool_input: input, cwd: "/home/dev/repos/proj" };
  const ask = claude.hooks && readToolCall(claude.hooks, "PermissionRequest", body);
  if (!ask) throw new Error("the call asks nothing");
  return ask;
}

/** What the event of a tool's hook that only tells says with this body. */
export function told(tool: string, event: string, body: object): ToolCallRequest | null {
  const { hooks } = shippedAdapter(tool);
  const lends = hooks?.events.find(({ name }) => name === event)?.preview;
  if (!hooks || !lends) throw new Error(`${tool} tells nothing by ${event}`);
  return readPreviewedCall(hooks, event, lends, { hook_event_name: event, ...body });
}

/** More than a small screen has room for. */
export const LONG = [
  "set -e",
  "for f in $(ls *.txt); do",
  '  echo "processing $f"',
  '  cp "$f" "../out-$f"',
  "done",
  "cat > report.md <<EOF",
  "# Report",
  "1. Yes",
  "2. No",
  "Continue? (y/n)",
  "EOF",
  "python3 - <<PY",
  'name = input("name? ")',
  "print(name)",
  "PY",
  "rm -rf dist build node_modules/.cache",
  "echo finished",
].join("\n");
