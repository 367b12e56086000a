/** Composes what watches a running tool: configuration, screen, detection, link to the hub. */
import { basename } from "node:path";
import type { Paths } from "../../config/paths.js";
import type { Config } from "../../config/schema.js";
import type { AtlasBridgeError } from "../../model/errors.js";
import { systemClock } from "../../observe/clock.js";
import { systemRandom } from "../../observe/random.js";
import { safeText } from "../../safety/safe-text.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { CompiledAdapter } from "../../worker/adapter-format/compiled/compiled.js";
import type { HookAccess } from "../../worker/integrations/hooks/hook-listener.js";
import type { AttachAccess } from "../../worker/runtimes/attachment/attachment.js";
import type { ToolSettings } from "../../worker/runtimes/terminal/open-tool.js";
import { PtyAdapter } from "../../worker/runtimes/terminal/pty-adapter.js";
import type { HostTerminal } from "../../worker/session/host/host-terminal.js";
import { writeToScreen } from "../../worker/session/host/host-output.js";
import { toExitCode, supervise } from "../../worker/session/host/supervise.js";
import { TitleMark } from "../../worker/session/host/title-mark.js";
import type { Terminal } from "../../worker/process/terminal.js";
import { GENERIC_ADAPTER } from "../../plugins/adapters/adapters.js";
import { CAPTURE_PROMPTS, Capturer } from "../../lab/capture-prompts.js";
import { createSideChannel } from "../../worker/integrations/create-side-channel.js";
import { connectSession } from "./relay/connect-session.js";
import { attachAccess } from "../../worker/integrations/attachments.js";
import { getProgramVersion } from "../../observe/program-version.js";
import type { AttachTarget } from "../../worker/runtimes/attachment/attachment.js";
import { hasChannels, findRelayTargets, formatStartLine } from "./relay/relay-targets.js";
import type { RunToolOptions } from "./run-tool-options.js";
import { findStartProblem } from "../../client/connect/config-problem.js";
import { announce } from "../../worker/session/host/announce.js";
import { findPlaceProblem, readConfig, sayGoodbye } from "./run-lifecycle.js";
import { noteVersion } from "./version-note.js";

// Exported from this bundle: another entry file would slow every start.
export { isolateRun, allowRunFiles } from "./isolate.js";
export { requireRelay } from "./relay/require-relay.js";

export interface SuperviseRunOptions {
  readonly options: RunToolOptions;
  readonly paths: Paths;
  readonly settings: ToolSettings;
  /** The tool that `settings` describes, just started. */
  readonly terminal: Terminal;
  readonly host: HostTerminal;
  /** Where the tool calls its hooks, or null. */
  readonly hookAccess: HookAccess | null;
  /** Where it is attached to, or null. */
  readonly joined: AttachTarget | null;
  /** A one-time message for the user, or null. */
  readonly note: string | null;
  /** Why the adapter of `settings` is not the tool's own, so that nothing is relayed; or null. */
  readonly problem: AtlasBridgeError | null;
}

/** Runs until the tool has exited; resolves to our exit code. */
export async function superviseRun(run: SuperviseRunOptions): Promise<number> {
  const { options, paths, settings, terminal, host, note } = run;
  const { sessionId, clock } = settings;
  const { config, problem: broken } = readConfig(paths);
  // Only the first mistake of a broken file; `adapter check` shows all.
  const problem = broken ?? run.problem?.message.split("\n", 1)[0] ?? null;
  const relay = options.relay && problem === null;
  const seen = options.relay ? (problem ?? findPlaceProblem(paths) ?? (await findStartProblem(paths))) : null;
  const tool = getToolName(settings.adapter, options.command[0]);
  const targets = findRelayTargets(config, { tool, label: options.label, cwd: options.cwd });
  const line = formatStartLine({ relay, targets, sessionId, problem: seen });
  announce([line].filter(() => seen !== null || (!options.quiet && process.stderr.isTTY)));
  announce([options.quiet ? null : note, options.nameless && describeNameless(options.nameless)]);
  const access = run.joined && attachAccess(run.joined, getProgramVersion());
  const adapter: PtyAdapter = createPtyAdapter(run, access, config, (candidate) => {
    if (process.env[CAPTURE_PROMPTS] === "1") capturer.captureQuestion(candidate);
  });
  const session = adapter.attach(terminal);
  const take = () => session.capture();
  const capturer = new Capturer({ paths, adapter: settings.adapter.name, cwd: settings.cwd, clock, take });
  const mark = host.isWindow && config.prompts.title_mark ? createTitleMark(host) : null;
  const onUnreached = hasChannels(config)
    ? (unreached: string | null) => mark?.show(unreached && `⚠ not relayed: ${unreached}`)
    : undefined;
  const link = relay
    ? connectSession({ adapter, capturer, sessionId, paths, tool, options, onUnreached })
    : null;
  const ended = new AbortController();
  // Asking for the version would run the tool outside its isolation.
  if (relay && !options.isolate) void noteVersion(settings, options.command[0], paths, ended.signal);
  const exit = await supervise({
    tool: session,
    host,
    clock,
    onTyped: () => link?.typed(),
    onOutput: mark ? (chunk) => mark.onOutput(chunk) : undefined,
  });
  const title = mark?.end();
  if (title) writeToScreen(title);
  ended.abort();
  await sayGoodbye(link, exit);
  // Problems at the start have already been reported.
  const trouble = link?.problem;
  link?.close();
  const said = trouble ?? link?.unreached;
  if (said && seen === null) announce([`atlasbridge: ${said}`]);
  return toExitCode(exit);
}

function createTitleMark(host: HostTerminal): TitleMark {
  return new TitleMark({ write: (text) => void host.write(Buffer.from(text)), clock: systemClock });
}

function describeNameless(nameless: string): string {
  return `atlasbridge: ${nameless}: the tool's prompts are read from its screen only, and Ctrl-Z does not stop it`;
}

/** The name people know: the adapter's tool, otherwise the executable. */
export function getToolName(compiled: CompiledAdapter, tool: string): string {
  return compiled.name === GENERIC_ADAPTER ? basename(tool) : compiled.name;
}

function createPtyAdapter(
  { settings, host, hookAccess }: SuperviseRunOptions,
  joinAccess: AttachAccess | null,
  config: Config,
  onRaised: (candidate: Candidate) => void,
): PtyAdapter {
  return new PtyAdapter({
    ...settings,
    random: systemRandom,
    redact: safeText,
    hostAnswers: host.isWindow,
    stuckTimeoutMs: config.prompts.stuck_timeout_seconds * 1000,
    sideChannel: createSideChannel({ ...settings, hookAccess, joinAccess }),
    onRaised,
  });
}
