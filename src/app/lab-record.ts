/** Records a live command for the Prompt Lab: timed bytes, sizes, and what the kernel knew when somebody said "now it waits". */
import { existsSync, writeFileSync } from "node:fs";
import { hostname, homedir, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { formatRecording } from "../../prompt-lab/recording.js";
import { scrubRecording, type Owner } from "../../prompt-lab/scrub.js";
import { formatSkeleton } from "../../prompt-lab/skeleton.js";
import { resolvePaths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { systemClock } from "../observe/clock.js";
import { HostTerminal } from "../worker/session/host-terminal.js";
import { openPty } from "../worker/transport/pty.js";
import { adapterFor } from "./adapters.js";
import { Recorder } from "./lab-recorder.js";

export interface RecordOptions {
  /** Executable and arguments. */
  readonly command: readonly string[];
  /** Adapter of the scenario; null: the one that knows the executable. */
  readonly tool: string | null;
  /** Scenario file; null: named after the executable, in the current folder. */
  readonly out: string | null;
  /** Fixed size; absent: the host terminal's, followed when it changes. */
  readonly cols?: number;
  readonly rows?: number;
  /** Start with hardly any environment, so that nothing of this machine's shows. */
  readonly clean: boolean;
}

export interface Recorded {
  readonly scenarioFile: string;
  readonly recordingFile: string;
  /** False when the command ended before anybody pressed the marker key. */
  readonly marked: boolean;
}

/** Errors: ATB_USAGE (the file is there already), ATB_ADAPTER_INVALID, ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED. */
export async function recordScenario(options: RecordOptions, host = new HostTerminal()): Promise<Recorded> {
  const files = targetFiles(options);
  const tool = options.tool ?? (await adapterFor(options.command[0] ?? "", resolvePaths())).name;
  const size = { cols: options.cols ?? host.size.cols, rows: options.rows ?? host.size.rows };
  const { command, clean } = options;
  const env = recordingEnvironment(process.env, clean);
  const terminal = openPty({ command, env, cwd: process.cwd(), size, clock: systemClock });
  const recorder = new Recorder(terminal, host, options.cols === undefined && options.rows === undefined);
  const { events, tty } = await recorder.run();
  write(files.recordingFile, formatRecording(scrubRecording(events, owner())));
  const stem = basename(files.scenarioFile, ".json");
  const recordingFile = basename(files.recordingFile);
  const scenarioId = `${tool}_${stem.replaceAll("-", "_")}`;
  write(files.scenarioFile, formatSkeleton({ tool, scenarioId, recordingFile, ...size, tty: tty ?? {} }));
  return { ...files, marked: tty !== null };
}

function owner(): Owner {
  return { home: homedir(), user: userName(), host: hostname() };
}

/** In a container the user may have no name; then there is none to hide. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

function targetFiles({ out, command }: RecordOptions): Pick<Recorded, "scenarioFile" | "recordingFile"> {
  const scenarioFile = out ?? `${basename(command[0] ?? "")}-recorded.json`;
  const recordingFile = join(dirname(scenarioFile), `${basename(scenarioFile, ".json")}.jsonl`);
  for (const file of [scenarioFile, recordingFile]) {
    if (existsSync(file))
      throw new AtlasBridgeError("ATB_USAGE", `${file} is there already`, {
        hint: "Give another name: --out FILE",
      });
  }
  return { scenarioFile, recordingFile };
}

/** What somebody's screen showed is for its owner to share. */
function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    throw new AtlasBridgeError("ATB_USAGE", `${file} cannot be written`, {
      hint: "Give a file in an existing folder: --out FILE",
      cause,
    });
  }
}

const CLEAN_NAMES = ["PATH", "HOME"];

function recordingEnvironment(from: NodeJS.ProcessEnv, clean: boolean): Record<string, string> {
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
