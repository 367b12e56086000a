/** Composes a session with an ACP agent: front end, runtime, link to the hub. */
import { resolvePaths, type Paths } from "../../config/paths.js";
import type { Config } from "../../config/schema.js";
import { buildToolEnvironment } from "../../config/tool-environment.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { asId, type SessionId } from "../../model/ids.js";
import type { PermissionMode } from "../../model/permission-mode.js";
import { systemClock } from "../../observe/clock.js";
import { systemRandom } from "../../observe/random.js";
import { safeText } from "../../safety/safe-text.js";
import { AcpAdapter } from "../../worker/integrations/acp/acp-adapter.js";
import { WHERE_LISTED } from "../../worker/integrations/acp/earlier-sessions.js";
import { listSessions, sessionLine } from "../../worker/integrations/acp/list-sessions.js";
import { isSessionName } from "../../worker/runtimes/protocol/session-name.js";
import { runAgentRepl } from "../../worker/session/repl/agent-repl.js";
import { openOwnTerminal, type HostTerminal } from "../../worker/session/host/host-terminal.js";
import type { Environment } from "../../worker/process/child-environment.js";
import { findAgentCommand, type AgentCommand } from "./agent-command.js";
import {
  agentSettings,
  allowedOffers,
  modeWarning,
} from "../../worker/integrations/acp/permission/agent-settings.js";
import { connectSession, type LinkOptions, type SessionLink } from "./relay/connect-session.js";
import { hasChannels, findRelayTargets, formatStartLine } from "./relay/relay-targets.js";
import { formatCommand } from "./dry-run.js";
import { requireRelay } from "./relay/require-relay.js";
import { findStartProblem } from "../../client/connect/config-problem.js";
import { announce } from "../../worker/session/host/announce.js";
import { findPlaceProblem, readConfig, sayGoodbye, describeSettings } from "./run-lifecycle.js";
import { runUntilEnded } from "./until-ended.js";
import { getProgramVersion } from "../../observe/program-version.js";

export interface RunAgentOptions {
  /** Executable and arguments as typed; empty: the first installed agent. */
  readonly command: readonly string[];
  readonly label: string | null;
  readonly cwd: string;
  readonly relay: boolean;
  readonly relayRequired: boolean;
  readonly quiet: boolean;
  /** Null: the default of the environment or configuration. */
  readonly permissionMode: PermissionMode | null;
  /** The agent's own id of an earlier session to resume. */
  readonly session: string | null;
  /** Only list the agent's earlier sessions in this folder. */
  readonly listSessions: boolean;
  /** Only print what would be started. */
  readonly dryRun: boolean;
}

/**
 * Resolves to our exit code. Errors: ATB_USAGE, ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED, ATB_ADAPTER_INVALID; those of
 * `requireRelay`.
 */
export async function runAgent(options: RunAgentOptions): Promise<number> {
  const { cwd, quiet } = options;
  if (options.session !== null && !isSessionName(options.session))
    throw new AtlasBridgeError("ATB_USAGE", "this is not a session id", { hint: WHERE_LISTED });
  const paths = resolvePaths();
  const { config, problem: broken } = readConfig(paths);
  const { policy, silenceMs, ...settings } = agentSettings(options, process.env, config.adapters.acp);
  const environment = await buildToolEnvironment(paths.config, process.env);
  const agent = await findAgentCommand(settings.command, { place: paths, environment, cwd });
  const { tool, command, env } = agent;
  const sessionId = asId<SessionId>(systemRandom.uuid());
  const told = await answerQueryOptions(options, agent, { sessionId, mode: policy.mode, environment });
  if (told !== null) {
    process.stdout.write(told);
    return 0;
  }
  if (options.relayRequired) await requireRelay(paths, { tool, label: options.label, cwd });
  const host = openOwnTerminal(systemClock);
  await host.ready();
  const problem = options.relay ? (broken ?? (await findHubProblem(paths))) : null;
  const relay = options.relay && broken === null;
  const targets = findRelayTargets(config, { tool, label: options.label, cwd });
  const line = formatStartLine({ relay, targets, sessionId, problem });
  if (problem !== null || (!quiet && process.stderr.isTTY)) announce([line]);
  announce([describeSettings(broken, options.relay), modeWarning(policy)]);
  let link: SessionLink | null = null;
  const adapter = new AcpAdapter({
    sessionId,
    tool,
    cwd,
    environment,
    clock: systemClock,
    random: systemRandom,
    redact: safeText,
    version: getProgramVersion(),
    silenceMs,
    colours: host.isWindow,
    answerWithinMs: host.isTerminal ? 0 : config.prompts.expires_after,
    isAttended: host.isTerminal || relay,
    resume: options.session,
    asking: agent.asking,
    requests: agent.requests,
    services: { offers: allowedOffers(agent.offers, policy), offLimits: [paths.configDir, paths.dataDir] },
    // Without a hub it cannot be recorded; the conversation shows it.
    permissions: { policy, record: async (...decided) => link?.recordDecision(...decided) },
  });
  await adapter.startSession(command, env);
  link = relay
    ? linkAgent({ adapter, host, config }, { sessionId, paths, tool, options: { ...options, command } })
    : null;
  try {
    const { exit, exitCode } = await runAgentRepl({
      tool: adapter,
      host,
      sessionId,
      clock: systemClock,
      onTyped: () => link?.typed(),
    });
    await sayGoodbye(link, exit);
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

async function findHubProblem(paths: Paths): Promise<string | null> {
  return findPlaceProblem(paths) ?? (await findStartProblem(paths));
}

function linkAgent(
  {
    adapter,
    host,
    config,
  }: { readonly adapter: AcpAdapter; readonly host: HostTerminal; readonly config: Config },
  session: Pick<LinkOptions, "sessionId" | "paths" | "tool" | "options">,
): SessionLink {
  const onUnreached = (problem: string | null): void => {
    if (problem !== null) adapter.note(`⚠ this prompt reaches nobody away from this machine: ${problem}`);
  };
  const onReach = (isReachable: boolean): void => adapter.setAttended(host.isTerminal || isReachable);
  return connectSession({
    ...session,
    adapter,
    capturer: null,
    onReach,
    onUnreached: hasChannels(config) ? onUnreached : undefined,
  });
}

/** The output of options that only ask about the agent; null: start the conversation. Errors: those of `listSessions`. */
async function answerQueryOptions(
  { dryRun, listSessions: isAsked, cwd }: RunAgentOptions,
  { tool, command, env }: AgentCommand,
  {
    sessionId,
    mode,
    environment,
  }: { readonly sessionId: SessionId; readonly mode: PermissionMode; readonly environment: Environment },
): Promise<string | null> {
  if (dryRun) return `${formatCommand(tool, command, cwd)}permissions: ${mode}\n`;
  if (!isAsked) return null;
  const version = getProgramVersion();
  const asked = { command, env, environment, cwd, sessionId, version, clock: systemClock };
  const found = await runUntilEnded((halt) => listSessions({ ...asked, halt }));
  return found.map(sessionLine).join("");
}
