import type { Paths } from "../../config/paths.js";
import type { Config } from "../../config/schema.js";
import { logReading } from "../../observe/reading-log.js";
import { systemRandom } from "../../observe/random.js";
import { sanitizeText } from "../../safety/safe-text.js";
import type { HookAccess } from "../../worker/integrations/hooks/hook-listener.js";
import type { AttachAccess, AttachTarget } from "../../worker/runtimes/attachment/attachment.js";
import type { ToolSettings } from "../../worker/runtimes/terminal/open-tool.js";
import type { ComparedReading } from "../../worker/runtimes/terminal/joined/reading-watch.js";
import type { PtyAdapterOptions } from "../../worker/runtimes/terminal/terminal-session.js";
import { findResumeCommand } from "../../worker/detection/resume-command.js";
import { PtyAdapter } from "../../worker/runtimes/terminal/pty-adapter.js";
import type { FirstOutput } from "../../worker/session/host/first-output.js";
import type { HostTerminal } from "../../worker/session/host/host-terminal.js";
import { StartLimit } from "../../worker/session/start-limit.js";
import { toExitCode, supervise } from "../../worker/session/host/supervise.js";
import { openTitleMark } from "../../worker/session/host/title-mark.js";
import type { Terminal } from "../../worker/process/terminal.js";
import { CAPTURE_PROMPTS, Capturer } from "../../../prompt-lab/record/capturer.js";
import { createSideChannel } from "../../worker/integrations/create-side-channel.js";
import { connectSession } from "./relay/connect-session.js";
import { createAttachAccess } from "../../worker/integrations/attachments.js";
import type { PreparedConsole } from "../../console/prepare-console.js";
import { getProgramVersion } from "../../observe/package-root.js";
import { hasChannels } from "./relay/relay-targets.js";
import type { RunToolOptions } from "./run-tool-options.js";
import { announce } from "../../worker/session/host/announce.js";
import type { RelayPlan } from "./announce-start.js";
import type { EventOutput } from "../../worker/session/events/event-output.js";
import { startReport } from "./session-report.js";
import { addRunFlags, sayGoodbye } from "./run-lifecycle.js";
import { noteVersion } from "./version-note.js";

// Exported from this bundle: another entry file would slow every start.
export { isolateRun, allowRunFiles } from "./isolate.js";
export { openEventOutput } from "../../worker/session/events/event-output.js";
export { prepareConsole } from "../../console/prepare-console.js";
export { requireRelay } from "./relay/require-relay.js";

export interface SuperviseRunOptions {
  readonly options: RunToolOptions & { readonly asksLittle: boolean };
  readonly paths: Paths;
  readonly settings: ToolSettings;
  readonly terminal: Terminal;
  readonly firstOutput: FirstOutput;
  readonly plan: RelayPlan;
  readonly host: HostTerminal;
  readonly hookAccess: HookAccess | null;
  readonly prepared: PreparedConsole | null;
  readonly events: EventOutput | null;
  readonly joined: AttachTarget | null;
}

export async function superviseRun(run: SuperviseRunOptions): Promise<number> {
  const { options, paths, settings, terminal, host } = run;
  const { config, relay, announced, tool } = run.plan;
  const { sessionId, clock } = settings;
  const access = run.joined && createAttachAccess(run.joined, getProgramVersion());
  const capturer = new Capturer({ paths, adapter: settings.adapter.name, cwd: settings.cwd, clock });
  const adapter = createPtyAdapter(run, access, config, {
    onRaised: (candidate, take) => {
      if (process.env[CAPTURE_PROMPTS] === "1") capturer.captureRaised(candidate, take);
    },
    onCompared: (reading, take) => {
      logComparison(run, reading);
      if (config.capture.disagreements) capturer.captureDisagreement(reading, take);
    },
  });
  const shown = run.firstOutput.handOver();
  const session = adapter.attach(terminal, shown);
  const console = run.prepared?.attach(session) ?? null;
  const capture = () => capturer.capture(session.capture);
  const mark = openTitleMark(host, config.prompts.title_mark);
  for (const chunk of shown) mark?.onOutput(chunk);
  const onUnreached = hasChannels(config)
    ? (unreached: string | null) => mark?.show(unreached && `⚠ not relayed: ${unreached}`)
    : undefined;
  const { seen, finish } = startReport(adapter, run.events, { sessionId, tool, relay });
  const link = relay
    ? connectSession({ adapter: seen, capture, console, sessionId, paths, tool, options, onUnreached, mark })
    : null;
  const { startWithinMs } = options;
  const limit = startWithinMs === null ? null : new StartLimit(session, clock, startWithinMs);
  const ended = new AbortController();
  // Asking for the version would run the tool outside its isolation.
  if (relay && !options.isolate) void noteVersion(settings, options.command[0], paths, ended.signal);
  const exit = await supervise({
    tool: session,
    host,
    clock,
    onTyped: () => link?.typed(),
    onOutput: mark ? (chunk) => mark.onOutput(chunk) : undefined,
    // A person who closes the terminal of a shell expects its jobs to end, too.
    endTool: console
      ? (signal) => void (signal === "SIGHUP" ? terminal.kill(signal) : console.end(signal))
      : undefined,
  });
  mark?.close();
  ended.abort();
  const screen = session.remoteControls.screen().text;
  // What a killed tool leaves on the screen may be its model's words.
  const resume = exit.signal === null ? findResumeCommand(settings.adapter, screen) : null;
  await sayGoodbye(link, exit, resume && addRunFlags(options, resume));
  await finish(exit);
  // Problems at the start have already been reported.
  const trouble = link?.problem;
  link?.close();
  if (limit?.problem) announce([`atlasbridge: ${tool}: ${limit.problem}`]);
  const said = trouble ?? link?.unreached;
  if (said && announced === null) announce([`atlasbridge: ${said}`]);
  return toExitCode(exit);
}

function logComparison(
  { paths, settings: { adapter, clock } }: SuperviseRunOptions,
  { dialog, differences }: ComparedReading,
): void {
  const at = new Date(clock.now()).toISOString();
  const { name: tool, version } = adapter;
  logReading(paths.readings, { at, tool, adapter: version, rule: dialog?.rule ?? null, differences });
}

function createPtyAdapter(
  { settings, host, hookAccess }: SuperviseRunOptions,
  joinAccess: AttachAccess | null,
  config: Config,
  listeners: Pick<PtyAdapterOptions, "onRaised" | "onCompared">,
): PtyAdapter {
  return new PtyAdapter({
    ...settings,
    random: systemRandom,
    safeText: sanitizeText,
    hostAnswers: host.isWindow,
    keyFds: host.keyFds,
    stuckTimeoutMs: config.prompts.stuck_timeout_seconds * 1000,
    sideChannel: createSideChannel({ ...settings, hookAccess, joinAccess }),
    ...listeners,
  });
}
