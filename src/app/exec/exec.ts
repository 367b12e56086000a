/** Composes `atlasbridge exec`: runs a tool headless, gives it its tasks, relays its prompts and prints the events. */
import { resolvePaths, type Paths } from "../../config/paths.js";
import type { Config } from "../../config/schema.js";
import { buildToolEnvironment } from "../../config/tool-environment.js";
import { EXIT } from "../../model/errors.js";
import { asId, type SessionId } from "../../model/ids.js";
import { systemClock } from "../../observe/clock.js";
import { systemRandom } from "../../observe/random.js";
import { safeText } from "../../safety/safe-text.js";
import type { ExecClient, ExecClientParts } from "../../worker/runtimes/exec/exec-client.js";
import { canResume, describePermissionDenial } from "../../worker/runtimes/exec/command-builder.js";
import { ExecAdapter } from "../../worker/runtimes/exec/exec-adapter.js";
import { writeToScreen } from "../../worker/session/host/host-output.js";
import { openOwnTerminal, type HostTerminal } from "../../worker/session/host/host-terminal.js";
import type { LoopLimits } from "../../exec/task-loop.js";
import { runExecSession, type ExecSessionEnd } from "../../worker/session/repl/exec-session.js";
import type { Environment } from "../../worker/process/child-environment.js";
import { formatCommand } from "../run/dry-run.js";
import { connectSession, type SessionLink } from "../run/relay/connect-session.js";
import { hasChannels, findRelayTargets, formatStartLine } from "../run/relay/relay-targets.js";
import { requireRelay } from "../run/relay/require-relay.js";
import { announce } from "../../worker/session/host/announce.js";
import { findPlaceProblem, readConfig, sayGoodbye, describeSettings } from "../run/run-lifecycle.js";
import { getProgramVersion } from "../../observe/program-version.js";
import { CheckpointFile, type Checkpoint } from "../../exec/checkpoint.js";
import {
  CANCELLED,
  runLoop,
  checkFileExists,
  NOTHING_DONE,
  TIMED_OUT,
  type LoopEnd,
} from "../../exec/exec-loop.js";
import {
  buildBatchCommand,
  findExecTool,
  buildProtocolCommand,
  type ExecTool,
} from "../../exec/exec-command.js";
import type { ExecOptions } from "../../exec/exec-options.js";
import { formatEvent, ExecPrinter } from "../../exec/exec-printer.js";
import { findListedSession } from "../../exec/listed-session.js";
import { describeEnd, chooseExitCode, describeResume, isDenied } from "../../exec/exec-words.js";
import { claimOrRefuse, readEarlierRun, isLoop, buildLimits } from "../../exec/loop-limits.js";
import { createBatchClient, createClient, createExecLogin } from "../../worker/integrations/exec-clients.js";

/** Resolves to our exit code. Errors: those of `findExecTool` and `buildProtocolCommand`; ATB_TOOL_START_FAILED; those of `requireRelay`. */
export async function execTool(options: ExecOptions): Promise<number> {
  const paths = resolvePaths();
  const { config, problem: broken } = readConfig(paths);
  const environment = await buildToolEnvironment(paths.config, process.env);
  const driven = await findExecTool(options.tool, { place: paths, environment, cwd: options.cwd });
  if (options.dryRun) return printCommand(driven, options);
  const file = isLoop(options) ? new CheckpointFile(paths, options) : null;
  const claim = claimOrRefuse(file);
  try {
    const limits = buildLimits(options, config);
    const from = readEarlierRun(file, options, driven.driver, limits);
    if (options.untilFile !== null && checkFileExists(options.untilFile)) return announceDone(options, file);
    const session = options.session ?? from?.session ?? null;
    const started = buildCommand(driven, options, session);
    if (options.relayRequired) await requireRelay(paths, { ...options, tool: driven.adapter.name });
    const parts = { options, paths, config, broken, environment, driven, file, from, limits, session };
    return await new Exec({ ...parts, ...started }).run();
  } finally {
    claim?.release();
  }
}

/** The awaited file exists before anything was started. */
function announceDone(options: ExecOptions, file: CheckpointFile | null): number {
  file?.remove();
  if (!options.quiet) announce([`atlasbridge: ${options.untilFile} already exists; nothing was started`]);
  if (options.json) writeToScreen(formatEvent({ type: "end", exit_code: EXIT.ok, ...NOTHING_DONE }));
  return EXIT.ok;
}

function printCommand(driven: ExecTool, options: ExecOptions): number {
  const { command } = buildCommand(driven, options, options.session);
  process.stdout.write(formatCommand(driven.adapter.name, command, options.cwd));
  return EXIT.ok;
}

/** Errors: ATB_USAGE if the tool does not support the options. */
function buildCommand(
  driven: ExecTool,
  options: ExecOptions,
  session: string | null,
): { readonly command: readonly string[]; readonly input: string | null } {
  if (options.batch) return buildBatchCommand(driven, { ...options, session });
  return { command: buildProtocolCommand(driven, { session, allowTools: options.allowTools }), input: null };
}

interface ExecParts {
  readonly options: ExecOptions;
  readonly paths: Paths;
  readonly config: Config;
  /** Why the configuration is unreadable, or null. */
  readonly broken: string | null;
  /** The tool's environment. */
  readonly environment: Environment;
  readonly driven: ExecTool;
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
    const adapter = this.#adapter();
    await adapter.startSession(command, { ...driven.adapter.process.env, ...this.#login?.environment });
    this.#link = this.#relay ? this.#connect(adapter) : null;
    try {
      const end = await this.#addListedSession(await this.#runTasks(adapter));
      await sayGoodbye(this.#link, end.exit);
      return this.#reportEnd(end, adapter.stderrTail);
    } catch (error) {
      if (adapter.stderrTail !== "") announce([adapter.stderrTail]);
      throw error;
    } finally {
      if (this.#link?.problem && broken === null) this.#printer.line(this.#link.problem);
      this.#link?.close();
      this.#host.endBySignal();
    }
  }

  /** Whether prompts are relayed to a hub. */
  get #relay(): boolean {
    return this.#parts.options.relay && this.#parts.broken === null;
  }

  #adapter(): ExecAdapter {
    const { options, driven, config, environment, session, input } = this.#parts;
    return new ExecAdapter({
      sessionId: this.#sessionId,
      tool: driven.adapter.name,
      cwd: options.cwd,
      environment,
      clock: systemClock,
      random: systemRandom,
      redact: safeText,
      version: getProgramVersion(),
      context: options.context,
      resume: session,
      silenceMs: config.exec.timeout,
      colours: this.#printer.isDrawn,
      answerWithinMs: this.#printer.isAnsweredHere ? 0 : config.prompts.expires_after,
      isAttended: this.#printer.isAnsweredHere || this.#relay,
      createClient: (parts: ExecClientParts): ExecClient =>
        options.batch ? createBatchClient(driven, parts, input) : createClient(driven, parts, this.#login),
      onStopped: () => this.#halt.abort(CANCELLED),
      onReport: (report) => this.#printer.report(report),
    });
  }

  #connect(adapter: ExecAdapter): SessionLink {
    const { options, config, driven, paths, session } = this.#parts;
    const { label, cwd } = options;
    // Some tools take their task as an argument. The task is private and must not be recorded.
    const unspoken = { ...options, prompt: "…", context: options.context === null ? null : "…" };
    const { command } = buildCommand(driven, unspoken, session);
    return connectSession({
      adapter,
      capturer: null,
      sessionId: this.#sessionId,
      paths,
      tool: driven.adapter.name,
      options: { label, cwd, command },
      onReach: (isReachable) => adapter.setAttended(this.#printer.isAnsweredHere || isReachable),
      onUnreached: hasChannels(config) ? (problem) => this.#reportUnreached(problem) : undefined,
    });
  }

  #reportUnreached(problem: string | null): void {
    if (problem !== null) this.#printer.line(`this prompt reaches nobody: ${problem}`);
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
          this.#printer.event({ type: "started", session_id: this.#sessionId, tool, command });
          return runLoop(
            {
              tool: adapter,
              prompt: options.prompt,
              limits,
              untilFile: options.untilFile,
              from,
              session,
              keep: (checkpoint) => file?.write(checkpoint),
              clock: systemClock,
              note: (line) => this.#printer.note(line),
              onTurn: (turn) => this.#printer.event({ type: "turn", ...turn }),
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
    this.#printer.event({ type: "end", exit_code: code, ...result });
    if (result.why === "failed" && exit.exitCode !== 0 && stderrTail !== "") announce([stderrTail]);
    const session = canResume(driven.driver, !options.batch) ? result.session : null;
    const line = describeEnd(result, { endedBy, loop: file && limits, session });
    if (line !== null && (!options.quiet || code !== EXIT.ok)) announce([`atlasbridge: ${line}`]);
    if (isDenied(result)) announce([describePermissionDenial(driven.driver)]);
    return code;
  }

  #announceStart(): void {
    const { options, config, broken, from, limits, paths, driven } = this.#parts;
    const { label, cwd } = options;
    const problem = options.relay ? (broken ?? findPlaceProblem(paths)) : null;
    const line = formatStartLine({
      relay: this.#relay,
      targets: findRelayTargets(config, { tool: driven.adapter.name, label, cwd }),
      sessionId: this.#sessionId,
      problem,
    });
    if (problem !== null || (!options.quiet && process.stderr.isTTY)) announce([line]);
    announce([describeSettings(broken, options.relay)]);
    const again = from && describeResume(from, limits);
    if (again) this.#printer.line(again);
  }
}
