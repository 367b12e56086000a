/** Records a live command for the Prompt Lab: timed bytes, sizes, and the kernel's facts when the marker key was pressed. */
import { basename } from "node:path";
import { resolvePaths } from "../config/paths.js";
import { buildToolEnvironment } from "../config/tool-environment.js";
import { systemClock } from "../observe/clock.js";
import { getCurrentFolder } from "../observe/current-folder.js";
import { openOwnTerminal } from "../worker/session/host/host-terminal.js";
import type { Environment } from "../worker/process/child-environment.js";
import { openPty } from "../worker/pty/pty.js";
import { findAdapter, requireAdapterFile } from "../plugins/adapters/adapters.js";
import { nameDraftFiles, writeDraft, type Drafted } from "./draft.js";
import { Recorder } from "./recorder.js";

export interface RecordOptions {
  /** Executable and arguments. */
  readonly command: readonly string[];
  /** Adapter of the scenario; null: the one for the executable. */
  readonly tool: string | null;
  /** Scenario file; null: named after the executable, in the current folder. */
  readonly out: string | null;
  /** Fixed size; absent: follows the host terminal's. */
  readonly cols?: number;
  readonly rows?: number;
  /** Start with a minimal environment, so that nothing about this machine shows. */
  readonly clean: boolean;
  /** Called once the command runs. */
  readonly onStart?: () => void;
}

export interface Recorded extends Drafted {
  /** False if the command exited before the marker key was pressed. */
  readonly marked: boolean;
}

/** Errors: ATB_USAGE (a file exists), ATB_ADAPTER_UNKNOWN, ATB_ADAPTER_INVALID, ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED. */
export async function recordScenario(
  options: RecordOptions,
  host = openOwnTerminal(systemClock),
): Promise<Recorded> {
  const files = nameDraftFiles(options.out ?? `${basename(options.command[0] ?? "")}-recorded.json`);
  if (options.tool !== null) requireAdapterFile(options.tool, resolvePaths());
  const tool = options.tool ?? (await findAdapter(options.command[0] ?? "", resolvePaths())).name;
  const size = { cols: options.cols ?? host.size.cols, rows: options.rows ?? host.size.rows };
  const { command, clean } = options;
  const environment = await buildToolEnvironment(resolvePaths().config, process.env);
  const env = buildRecordingEnvironment(environment, clean);
  const cwd = getCurrentFolder();
  const terminal = openPty({ command, env, cwd, size, clock: systemClock });
  options.onStart?.();
  const recorder = new Recorder(terminal, host, options.cols === undefined && options.rows === undefined);
  const { events, tty } = await recorder.run();
  const told = await writeDraft(files, { tool, events, ...size, tty: tty ?? {} }, [cwd]);
  return { ...files, told, marked: tty !== null };
}

const CLEAN_NAMES = ["PATH", "HOME"];

function buildRecordingEnvironment(from: Environment, clean: boolean): Record<string, string> {
  const kept = Object.entries(from).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      (clean ? CLEAN_NAMES.includes(entry[0]) : !entry[0].startsWith("ATLASBRIDGE_")),
  );
  const plain = { TERM: "xterm-256color", LANG: "C.UTF-8", PS1: "$ " };
  return clean
    ? { ...Object.fromEntries(kept), ...plain }
    : { TERM: plain.TERM, ...Object.fromEntries(kept) };
}
