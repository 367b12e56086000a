/** Composes one worker: adapter, terminal, link to the hub. The tool starts at once and never waits for any of it. */
import { basename } from "node:path";
import { loadConfig, parseConfig } from "../config/load.js";
import { resolvePaths, type Paths } from "../config/paths.js";
import type { Config } from "../config/schema.js";
import { AtlasBridgeError } from "../model/errors.js";
import { asId, type SessionId } from "../model/ids.js";
import { systemClock } from "../observe/clock.js";
import { systemRandom } from "../observe/random.js";
import { safeText } from "../safety/safe-text.js";
import type { CompiledAdapter } from "../worker/detect/compiled.js";
import { startingArguments } from "../worker/runtime/pty/asking.js";
import { PtyAdapter } from "../worker/runtime/pty/pty-adapter.js";
import { HostTerminal } from "../worker/session/host-terminal.js";
import { exitCodeOf, supervise } from "../worker/session/supervise.js";
import type { TerminalExit } from "../worker/transport/terminal.js";
import { adapterFor, GENERIC_ADAPTER, loadAdapter } from "./adapters.js";
import { channelSchemas } from "./channels.js";
import { linkSession, type SessionLink } from "./link-session.js";
import { relayTargets, startLine } from "./relay-targets.js";

export interface RunToolOptions {
  readonly command: readonly [tool: string, ...args: string[]];
  readonly label: string | null;
  readonly cwd: string;
  readonly adapter: string | null;
  readonly relay: boolean;
  readonly ask: boolean;
  readonly quiet: boolean;
}

/** How long the hub may take to hear that the session ended; it finds out by itself if it does not. */
const GOODBYE_MS = 1500;

/** Runs the tool and resolves to our exit code. Errors: ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED, ATB_ADAPTER_*. */
export async function runTool(options: RunToolOptions): Promise<number> {
  const paths = resolvePaths();
  const { config, problem } = readConfig(paths);
  const [tool, ...userArgs] = options.command;
  const compiled = options.adapter === null ? adapterFor(tool, paths) : loadAdapter(options.adapter, paths);
  const { args, note } = startingArguments(compiled.asking, userArgs, options.ask);
  const host = new HostTerminal();
  const sessionId = asId<SessionId>(systemRandom.uuid());
  const adapter = ptyAdapter({ compiled, sessionId, options, config, host });
  const relay = options.relay && problem === null;
  if (!options.quiet)
    announce([startLine({ relay, targets: relayTargets(config), sessionId, problem }), note]);
  await adapter.startSession([tool, ...args]);
  const link = relay
    ? linkSession({ adapter, sessionId, paths, tool: nameOf(compiled, tool), options })
    : null;
  const exit = await supervise({ tool: adapter, host, clock: systemClock });
  await sayGoodbye(link, exit);
  return exitCodeOf(exit);
}

/** What people know it by: the tool we have an adapter for, else the executable. */
function nameOf(compiled: CompiledAdapter, tool: string): string {
  return compiled.name === GENERIC_ADAPTER ? basename(tool) : compiled.name;
}

/** A broken configuration must not keep the tool from starting; it is said, and nothing is relayed. */
function readConfig(paths: Paths): { config: Config; problem: string | null } {
  const { config: file } = paths;
  try {
    const config = loadConfig({ file, channels: channelSchemas, env: process.env, secrets: "leave" });
    return { config, problem: null };
  } catch (error) {
    if (!(error instanceof AtlasBridgeError)) throw error;
    return { config: parseConfig("", file, channelSchemas), problem: error.message };
  }
}

interface AdapterParts {
  readonly compiled: CompiledAdapter;
  readonly sessionId: SessionId;
  readonly options: RunToolOptions;
  readonly config: Config;
  readonly host: HostTerminal;
}

function ptyAdapter({ compiled, sessionId, options, config, host }: AdapterParts): PtyAdapter {
  return new PtyAdapter({
    adapter: compiled,
    sessionId,
    cwd: options.cwd,
    size: host.size,
    environment: process.env,
    clock: systemClock,
    random: systemRandom,
    redact: safeText,
    hostAnswers: host.isTerminal && process.stdout.isTTY,
    stuckTimeoutMs: config.prompts.stuck_timeout_seconds * 1000,
  });
}

/** Ours, before the terminal is the tool's; never into a pipe that somebody reads. */
function announce(lines: readonly (string | null)[]): void {
  if (!process.stderr.isTTY) return;
  for (const line of lines) if (line) process.stderr.write(`${line}\n`);
}

async function sayGoodbye(link: SessionLink | null, exit: TerminalExit): Promise<void> {
  if (!link) return;
  let timer: NodeJS.Timeout | undefined;
  // Keeps the process: without a hub nothing else would, and it would end before the tool's exit code is ours.
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, GOODBYE_MS)));
  await Promise.race([link.end(exit), late]);
  clearTimeout(timer);
  link.close();
}
