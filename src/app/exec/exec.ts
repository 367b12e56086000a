/** Composes `atlasbridge exec`: runs a tool headless, gives it its tasks, relays its prompts and prints the events. */
import { resolvePaths, type Paths } from "../../config/paths.js";
import type { Config } from "../../config/schema.js";
import { buildToolEnvironment } from "../../config/tool-environment.js";
import { EXIT } from "../../model/errors.js";
import { asId, type SessionId } from "../../model/ids.js";
import { systemClock } from "../../observe/clock.js";
import { markDescendants } from "../../observe/process-facts.js";
import { systemRandom } from "../../observe/random.js";
import { sanitizeText } from "../../safety/safe-text.js";
import type { ExecClient, ExecClientParts } from "../../worker/runtimes/exec/exec-client.js";
import { canResume, describePermissionDenial } from "../../worker/runtimes/exec/command-builder.js";
import { ExecAdapter } from "../../worker/runtimes/exec/exec-adapter.js";
import { explainMissing, explainMissingTool } from "../../worker/runtimes/install-hint.js";
import { openOwnTerminal, type HostTerminal } from "../../worker/session/host/host-terminal.js";
import type { LoopLimits } from "../../exec/task-loop.js";
import { runExecSession, type ExecSessionEnd } from "../../worker/session/repl/exec-session.js";
import type { Environment } from "../../worker/process/child-environment.js";
import {
  formatCommand,
  chooseExecTool,
  findExecTool,
  buildExecCommand,
  type ExecTool,
  findListedSession,
} from "../../exec/exec-command.js";
import { connectSession, type SessionLink } from "../run/relay/connect-session.js";
import { readConnectedChannels } from "../reach-note.js";
import { hasChannels, findRelayTargets, formatStartLine } from "../run/relay/relay-targets.js";
import { requireRelay } from "../run/relay/require-relay.js";
import { announce } from "../../worker/session/host/announce.js";
import { findPlaceProblem } from "../../client/connect/start-problem.js";
import { readAgentConfig, sayGoodbye, describeSettings } from "../run/run-lifecycle.js";
import { getProgramVersion } from "../../observe/package-root.js";
import {
  buildLimits,
  CheckpointFile,
  claimOrRefuse,
  isLoop,
  readEarlierRun,
  type Checkpoint,
} from "../../exec/checkpoint.js";
import { CANCELLED, runLoop, checkFileExists, TIMED_OUT, type LoopEnd } from "../../exec/exec-loop.js";
import { requireAgreement } from "../../plugins/adapters/agreed-files.js";
import type { ExecOptions, ExecToolOptions } from "../../exec/exec-options.js";
import {
  ExecPrinter,
  announceDone,
  describeEnd,
  chooseExitCode,
  describeResume,
  isDenied,
} from "../../exec/exec-printer.js";
import { describeTooOld, readInstalledVersion } from "../../worker/runtimes/tool-version.js";
import type { AcpSetup } from "../../worker/integrations/acp/acp-agent.js";
import {
  buildAgentSetup,
  describeModeWarning,
  findAgentSettings,
  type AgentSettings,
} from "../../worker/integrations/acp/permission/agent-settings.js";
import { createBatchClient, createClient, createExecLogin } from "../../worker/integrations/exec-clients.js";

/** Resolves to our exit code. Errors: those of `readAgentConfig`, `chooseExecTool`, `findExecTool`, `findAgentSettings` and `buildExecCommand`; ATB_TOOL_START_FAILED; those of `requireRelay`. */
export async function runExec(typed: ExecOptions): Promise<number> {
  const paths = resolvePaths();
  const { config, problem: broken } = readAgentConfig(paths);
  const options = { ...typed, tool: chooseExecTool(typed.tool, config.exec.tool) };
  const environment = await buildToolEnvironment(paths.config, process.env);
  const driven = await findExecTool(options.tool, { place: paths, environment, cwd: options.cwd });
  const agent = findAgentSettings(driven, options, process.env, config);
  if (options.dryRun) {
    announce([describeSettings(broken, false)]);
    return printCommand(driven, options);
  }
  await requireAgreement(driven.adapter.own, paths, options.askToRun);
  const file = isLoop(options) ? new CheckpointFile(paths, options) : null;
  const claim = claimOrRefuse(file);
  try {
    const limits = buildLimits(options, config);
    const from = readEarlierRun(file, options, driven.driver, limits);
    if (options.untilFile !== null && checkFileExists(options.untilFile)) return announceDone(options, file);
    const session = options.session ?? from?.session ?? null;
    const started = buildExecCommand(driven, options, session);
    if (options.relayRequired) await requireRelay(paths, { ...options, tool: driven.adapter.name });
    const parts = { options, paths, config, broken, environment, driven, agent, file, from, limits, session };
    return await new Exec({ ...parts, ...started }).run();
  } finally {
    claim?.release();
  }
}

function printCommand(driven: ExecTool, options: ExecOptions): number {
  const { command } = buildExecCommand(driven, options, options.session);
  process.stdout.write(formatCommand(driven.adapter.name, command, options.cwd));
  return EXIT.ok;
}

interface ExecParts {
  readonly options: ExecToolOptions;
  readonly paths: Paths;
  readonly config: Config;
  /** Why the configuration is unreadable, or null. */
  readonly broken: string | null;
  /** The tool's environment. */
  readonly environment: Environment;
  readonly driven: ExecTool;
  /** Null: the tool is no agent of the Agent Client Protocol. */
  readonly agent: AgentSettings | null;
  readonly file: CheckpointFile | null;
  readonly from: Checkpoint | null;
  readonly limits: LoopLimits;
  readonly session: string | null;
  readonly command: readonly string[];
  /** The first message to a tool in batch mode. */
  readonly input: string | null;
}

class Exec {
  readonly #parts: ExecParts;
  readonly #host: HostTerminal = openOwnTerminal(systemClock);
  readonly #printer: ExecPrinter;
  readonly #sessionId = asId<SessionId>(systemRandom.uuid());
  readonly #login: ReturnType<typeof createExecLogin>;
  /** Aborted by `--timeout`, or when a person stops the run remotely. */
  readonly #halt = new AbortController();
  #link: SessionLink | null = null;

  constructor(parts: ExecParts) {
    this.#parts = parts;
    this.#printer = new ExecPrinter(this.#host, parts.options);
    this.#login = parts.options.batch ? null : createExecLogin(parts.driven.driver.talk, systemRandom);
  }

  async run(): Promise<number> {
    const { driven, command, broken } = this.#parts;
    await this.#host.ready();
    this.#announceStart();
    const adapter = this.#createAdapter();
    const environment = { ...driven.adapter.process.env, ...this.#login?.environment };
    markDescendants();
    await explainMissing(
      () => adapter.startSession(command, environment),
      (error) => explainMissingTool(error, driven.adapter, command[0] ?? ""),
    );
    this.#link = this.#relay ? this.#connect(adapter) : null;
    const ended = new AbortController();
    void this.#noteAge(ended.signal);
    try {
      const end = await this.#addListedSession(await this.#runTasks(adapter));
      await sayGoodbye(this.#link, end.exit);
      return this.#reportEnd(end, adapter.stderrTail);
    } catch (error) {
      if (adapter.stderrTail !== "") announce([adapter.stderrTail]);
      throw error;
    } finally {
      ended.abort();
      if (this.#link?.problem && broken === null) this.#printer.printLine(this.#link.problem);
      this.#link?.close();
      this.#host.endBySignal();
    }
  }

  /** Nobody waits for this: a tool takes up to seconds to name its version. */
  async #noteAge(signal: AbortSignal): Promise<void> {
    const { driven, environment, paths, options } = this.#parts;
    const { minVersion: min } = driven.driver;
    // A tool without a limit is not started for its version.
    if (min === null || options.quiet) return;
    const place = { environment, paths, cwd: options.cwd };
    const installed = await readInstalledVersion(driven.executable, place, { signal });
    const old = installed && describeTooOld(installed.file, installed.version, min);
    if (old !== null) this.#printer.printBeside(`atlasbridge: ${old}; update it\n`);
  }

  /** Whether prompts are relayed to a hub. */
  get #relay(): boolean {
    return this.#parts.options.relay && this.#parts.broken === null;
  }

  #createAdapter(): ExecAdapter {
    const { options, driven, agent, config, environment, session, input } = this.#parts;
    return new ExecAdapter({
      sessionId: this.#sessionId,
      tool: driven.adapter.name,
      cwd: options.cwd,
      environment,
      clock: systemClock,
      random: systemRandom,
      safeText: sanitizeText,
      version: getProgramVersion(),
      context: options.context,
      resume: session,
      silenceMs: agent?.silenceMs ?? config.exec.timeout,
      answerWithinMs: this.#printer.isAnsweredHere ? 0 : config.prompts.expires_after,
      isAttended: this.#printer.isAnsweredHere || this.#relay,
      createClient: (parts: ExecClientParts): ExecClient =>
        options.batch
          ? createBatchClient(driven, parts, input)
          : createClient(driven, parts, this.#login, this.#findAgentSetup()),
      onStopped: () => this.#halt.abort(CANCELLED),
      onReport: (report) => this.#printer.printReport(report),
    });
  }

  #findAgentSetup(): AcpSetup | null {
    const { agent, driven, paths, environment } = this.#parts;
    if (!agent) return null;
    return buildAgentSetup(agent, driven, paths, {
      environment,
      sessionId: this.#sessionId,
      random: systemRandom,
      // Without a hub it cannot be recorded; the output shows it.
      record: async (...decided) => this.#link?.recordDecision(...decided),
    });
  }

  #connect(adapter: ExecAdapter): SessionLink {
    const { options, config, driven, paths, session } = this.#parts;
    const { label, cwd } = options;
    // Some tools take their task as an argument. The task is private and must not be recorded.
    const unspoken = { ...options, task: "…", context: options.context === null ? null : "…" };
    const { command } = buildExecCommand(driven, unspoken, session);
    return connectSession({
      adapter,
      sessionId: this.#sessionId,
      paths,
      tool: driven.adapter.name,
      options: { label, cwd, command },
      onReach: (isReachable) => adapter.setAttended(this.#printer.isAnsweredHere || isReachable),
      onUnreached: hasChannels(config) ? (problem) => this.#reportUnreached(problem) : undefined,
    });
  }

  #reportUnreached(problem: string | null): void {
    if (problem !== null) this.#printer.printLine(`this prompt reaches nobody: ${problem}`);
  }

  async #runTasks(adapter: ExecAdapter): Promise<ExecSessionEnd<LoopEnd>> {
    const { options, file, from, limits, session, command, driven } = this.#parts;
    const tool = driven.adapter.name;
    const stopTimer = this.#startTimeout(adapter);
    try {
      return await runExecSession({
        tool: adapter,
        host: this.#host,
        sessionId: this.#sessionId,
        clock: systemClock,
        say: this.#printer.isAnsweredHere ? (text) => this.#printer.printBeside(text) : null,
        isShown: !options.json,
        onTyped: () => this.#link?.typed(),
        drive: (stop) => {
          // Installed first, so that signals and a closed output are handled from the start.
          this.#printer.printEvent({ type: "started", session_id: this.#sessionId, tool, command });
          return runLoop(
            {
              tool: adapter,
              prompt: options.task,
              limits,
              untilFile: options.untilFile,
              from,
              session,
              keep: (checkpoint) => file?.write(checkpoint),
              clock: systemClock,
              note: (line) => this.#printer.printNote(line),
              onTurn: (turn) => this.#printer.printEvent({ type: "turn", ...turn }),
            },
            AbortSignal.any([stop, this.#halt.signal]),
          );
        },
      });
    } finally {
      stopTimer();
    }
  }

  /** Where nothing that the tool wrote named its session, its list of them may. */
  async #addListedSession(end: ExecSessionEnd<LoopEnd>): Promise<ExecSessionEnd<LoopEnd>> {
    const { driven, options, environment } = this.#parts;
    if (!options.batch || end.result.session !== null) return end;
    const place = { cwd: options.cwd, environment, sessionId: this.#sessionId };
    return { ...end, result: { ...end.result, session: await findListedSession(driven, place) } };
  }

  /** `--timeout`: acts like Ctrl-C when the time is up. */
  #startTimeout(adapter: ExecAdapter): () => void {
    const { timeoutMs } = this.#parts.options;
    if (timeoutMs === null) return () => undefined;
    return systemClock.after(timeoutMs, () => {
      this.#halt.abort(TIMED_OUT);
      void adapter.terminateSession(this.#sessionId);
    });
  }

  #reportEnd({ result, exit, endedBy }: ExecSessionEnd<LoopEnd>, stderrTail: string): number {
    const { file, driven, options, limits } = this.#parts;
    if (result.why === "done") file?.remove();
    const code = chooseExitCode(result, { endedBy });
    this.#printer.printEvent({ type: "end", exit_code: code, ...result });
    if (result.why === "failed" && exit.exitCode !== 0 && stderrTail !== "") announce([stderrTail]);
    const session = canResume(driven.driver, !options.batch) ? result.session : null;
    const line = describeEnd(result, { endedBy, loop: file && limits, session });
    if (line !== null && (!options.quiet || code !== EXIT.ok)) announce([`atlasbridge: ${line}`]);
    if (isDenied(result)) announce([describePermissionDenial(driven.driver)]);
    return code;
  }

  #announceStart(): void {
    const { options, config, broken, from, limits, paths, driven, agent } = this.#parts;
    const { label, cwd } = options;
    const problem = options.relay ? (broken ?? findPlaceProblem(paths)) : null;
    const line = formatStartLine({
      relay: this.#relay,
      targets: findRelayTargets(
        config,
        { tool: driven.adapter.name, label, cwd },
        readConnectedChannels(paths),
      ),
      sessionId: this.#sessionId,
      problem,
    });
    if (problem !== null || (!options.quiet && process.stderr.isTTY)) announce([line]);
    announce([describeSettings(broken, options.relay), agent && describeModeWarning(agent.policy)]);
    const again = from && describeResume(from, limits);
    if (again) this.#printer.printLine(again);
  }
}
