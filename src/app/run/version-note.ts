/** Logs when a session's tool has a version that its adapter does not support. The tool never waits for this. */
import type { Paths } from "../../config/paths.js";
import { isInRange } from "../../model/data/version-range.js";
import type { ToolSettings } from "../../worker/runtimes/terminal/open-tool.js";
import { isAdapterTool } from "../../plugins/adapters/adapters.js";
import { readInstalledVersion } from "../../worker/runtimes/tool-version.js";
import { warnInLog } from "./relay/session-log.js";

const PATIENCE_MS = 60_000;

/** Asks the tool for an unknown version, and stores it; `signal` cancels and leaves no process. Never rejects. */
export async function noteVersion(
  { adapter, cwd, environment, sessionId }: ToolSettings,
  tool: string,
  paths: Paths,
  signal: AbortSignal,
): Promise<void> {
  const { name, supportedVersions: supported } = adapter;
  // Any other program might interpret `--version` as a command.
  if (supported === null || !isAdapterTool(adapter, tool)) return;
  const place = { environment, cwd, paths };
  const installed = await readInstalledVersion(tool, place, { signal, limitMs: PATIENCE_MS });
  if (installed === null || isInRange(installed.version, supported)) return;
  const fields = { adapter: name, ...installed, supported };
  warnInLog(paths, sessionId, "the tool is of a version that its adapter was not made for", fields);
}
