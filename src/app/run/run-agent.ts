import { resolvePaths, type Paths } from "../../config/paths.js";
import type { Config } from "../../config/schema.js";
import { buildToolEnvironment } from "../../config/tool-environment.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { asId, type SessionId } from "../../model/ids.js";
import type { PermissionMode } from "../../model/permission-mode.js";
import { systemClock } from "../../observe/clock.js";
import { markDescendants } from "../../observe/process-facts.js";
import { systemRandom } from "../../observe/random.js";
import { sanitizeText } from "../../safety/safe-text.js";
import { AcpAdapter } from "../../worker/integrations/acp/acp-adapter.js";
import { formatSession, listSessions, WHERE_LISTED } from "../../worker/integrations/acp/earlier-sessions.js";
import { isSessionName } from "../../worker/runtimes/protocol/session-name.js";
import { runAgentRepl } from "../../worker/session/repl/agent-repl.js";
import { openOwnTerminal, type HostTerminal } from "../../worker/session/host/host-terminal.js";
import type { Environment } from "../../worker/process/child-environment.js";
import { requireAgreement } from "../../plugins/adapters/agreed-files.js";
import { findAgentCommand, type AgentCommand } from "../../exec/agent-command.js";
import {
  readAgentSettings,
  selectOffers,
  describeModeWarning,
} from "../../worker/integrations/acp/permission/agent-settings.js";
import { connectSession, type LinkOptions, type SessionLink } from "./relay/connect-session.js";
import { readConnectedChannels } from "../reach-note.js";
import { hasChannels, findRelayTargets, formatStartLine } from "./relay/relay-targets.js";
import { formatCommand } from "../../exec/exec-command.js";
import { requireRelay } from "./relay/require-relay.js";
import { findPlaceProblem, findStartProblem } from "../../client/connect/start-problem.js";
import { explainMissing, explainMissingProgram } from "../../worker/runtimes/install-hint.js";
import { openTitleMark, type TitleMark } from "../../worker/session/host/title-mark.js";
import { announce } from "../../worker/session/host/announce.js";
import { readAgentConfig, sayGoodbye, describeSettings } from "./run-lifecycle.js";
import { runUntilEnded } from "./until-ended.js";
import { openEventOutput } from "../../worker/session/events/event-output.js";
import type { RunToolOptions } from "./run-tool-options.js";
import { startReport } from "./session-report.js";
import { getProgramVersion } from "../../observe/package-root.js";

export interface RunAgentOptions extends Pick<
  RunToolOptions,
  "label" | "cwd" | "relay" | "relayRequired" | "events" | "quiet" | "askToRun"
> {
  /** Executable and arguments as typed; empty: the first installed agent. */
  readonly command: readonly string[];
  /** Null: the default of the environment or configuration. */
  readonly permissionMode: PermissionMode | null;
  readonly session: string | null;
  readonly listSessions: boolean;
  readonly dryRun: boolean;
}

/**
 * Resolves to our exit code. Errors: ATB_USAGE, ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED, ATB_ADAPTER_INVALID; those of
 * `readAgentConfig` and `requireRelay`.
 */
export async function runAgent(options: RunAgentOptions): Promise<number> {
  const { cwd, quiet } = options;
  const paths = resolvePaths();
  const { config, problem: broken } = readAgentConfig(paths);
  checkOptions(options);
  const { policy, silenceMs, command: chosen } = readAgentSettings(options, process.env, config.adapters.acp);
  const environment = await buildToolEnvironment(paths.config, process.env);
  const agent = await findAgentCommand(chosen, { place: paths, environment, cwd });
  const { tool, command } = agent;
  const sessionId = asId<SessionId>(systemRandom.uuid());
  const told = await answerQueryOptions(options, agent, { sessionId, mode: policy.mode, environment });
  if (options.dryRun) announce([describeSettings(broken, false)]);
  if (told !== null) return print(told);
  const events = options.events === null ? null : openEventOutput(options.events);
  if (options.relayRequired) await requireRelay(paths, { tool, label: options.label, cwd });
  const host = openOwnTerminal(systemClock);
  await host.ready();
  const problem = options.relay ? (broken ?? (await findHubProblem(paths, config))) : null;
  const relay = options.relay && broken === null;
  const targets = findRelayTargets(config, { tool, label: options.label, cwd }, readConnectedChannels(paths));
  const isQuiet = problem === null && (quiet || !process.stderr.isTTY);
  const line = isQuiet ? null : formatStartLine({ relay, targets, sessionId, problem });
  announce([line, describeSettings(broken, options.relay), describeModeWarning(policy)]);
  let link: SessionLink | null = null;
  const adapter = new AcpAdapter({
    sessionId,
    tool,
    cwd,
    environment,
    clock: systemClock,
    random: systemRandom,
    safeText: sanitizeText,
    version: getProgramVersion(),
    silenceMs,
    answerWithinMs: host.isTerminal ? 0 : config.prompts.expires_after,
    isAttended: host.isTerminal || relay,
    resume: options.session,
    asking: agent.asking,
    requests: agent.requests,
    services: { offers: selectOffers(agent.offers, policy), offLimits: [paths.configDir, paths.dataDir] },
    // Without a hub it cannot be recorded; the conversation shows it.
    permissions: { policy, record: async (...decided) => link?.recordDecision(...decided) },
  });
  await startAgent(adapter, agent);
  const { seen, finish } = startReport(adapter, events, { sessionId, tool, relay });
  const mark = openTitleMark(host, config.prompts.title_mark);
  const session = { sessionId, paths, tool, options: { ...options, command } };
  link = relay ? linkAgent({ adapter, seen, host, config, mark }, session) : null;
  try {
    const { exit, exitCode } = await runAgentRepl({
      tool: adapter,
      host,
      sessionId,
      clock: systemClock,
      onTyped: () => link?.typed(),
    });
    mark?.close();
    await sayGoodbye(link, exit);
    await finish(exit);
    if (host.isTerminal && !quiet) announce([adapter.commands.farewell(options.command)]);
    if (exitCode !== 0 && adapter.stderrTail !== "") announce([adapter.stderrTail]);
    if (link?.problem && problem === null) announce([`atlasbridge: ${link.problem}`]);
    return exitCode;
  } catch (error) {
    // The output of a program that turned out to be no agent.
    if (adapter.stderrTail !== "") announce([adapter.stderrTail]);
    throw error;
  } finally {
    link?.close();
    host.endBySignal();
  }
}

function checkOptions({ session }: RunAgentOptions): void {
  if (session !== null && !isSessionName(session))
    throw new AtlasBridgeError("ATB_USAGE", "this is not a session id", { hint: WHERE_LISTED });
}

function print(text: string): 0 {
  process.stdout.write(text);
  return 0;
}

function startAgent(adapter: AcpAdapter, { tool, command, env, install }: AgentCommand) {
  const [file = tool] = command;
  markDescendants();
  return explainMissing(
    () => adapter.startSession(command, env),
    (error) => explainMissingProgram(error, file, install),
  );
}

async function findHubProblem(paths: Paths, config: Config): Promise<string | null> {
  return findPlaceProblem(paths) ?? (await findStartProblem(paths, config));
}

interface LinkedAgent {
  readonly adapter: AcpAdapter;
  readonly seen: LinkOptions["adapter"];
  readonly host: HostTerminal;
  readonly config: Config;
  readonly mark: TitleMark | null;
}

function linkAgent(
  { adapter, seen, host, config, mark }: LinkedAgent,
  session: Pick<LinkOptions, "sessionId" | "paths" | "tool" | "options">,
): SessionLink {
  const onUnreached = (problem: string | null): void => {
    if (problem !== null) adapter.note(`⚠ this prompt reaches nobody away from this machine: ${problem}`);
  };
  const onReach = (isReachable: boolean): void => adapter.setAttended(host.isTerminal || isReachable);
  return connectSession({
    ...session,
    adapter: seen,
    mark,
    onReach,
    onUnreached: hasChannels(config) ? onUnreached : undefined,
  });
}

/**
 * Returns the output of options that only ask about the agent; null: start the conversation. Errors: those of `requireAgreement` and
 * `listSessions`.
 */
async function answerQueryOptions(
  { dryRun, listSessions: isAsked, cwd, askToRun }: RunAgentOptions,
  { tool, command, env, own }: AgentCommand,
  {
    sessionId,
    mode,
    environment,
  }: { readonly sessionId: SessionId; readonly mode: PermissionMode; readonly environment: Environment },
): Promise<string | null> {
  if (dryRun) return `${formatCommand(tool, command, cwd)}permissions: ${mode}\n`;
  await requireAgreement(own, resolvePaths(), askToRun);
  if (!isAsked) return null;
  const version = getProgramVersion();
  const asked = { command, env, environment, cwd, sessionId, version, clock: systemClock };
  const found = await runUntilEnded((halt) => listSessions({ ...asked, halt }));
  return found.map(formatSession).join("");
}
