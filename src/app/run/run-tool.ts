/** Starts one worker: first the tool, then everything that watches it. What the tool need not wait for is in `supervise-run.ts`. */
import { resolvePaths, type Paths } from "../../config/paths.js";
import { buildToolEnvironment } from "../../config/tool-environment.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { asId, type SessionId } from "../../model/ids.js";
import { systemClock } from "../../observe/clock.js";
import { markDescendants } from "../../observe/process-facts.js";
import { systemRandom } from "../../observe/random.js";
import type { CompiledAdapter } from "../../worker/adapter-format/compiled/compiled.js";
import { buildStartingArguments } from "../../worker/runtimes/terminal/asking-mode.js";
import { INHERITED_FOLDER } from "../../worker/process/executable.js";
import { openTool, type ToolSettings } from "../../worker/runtimes/terminal/open-tool.js";
import { FirstOutput } from "../../worker/session/host/first-output.js";
import {
  openOwnTerminal,
  restoreTerminalAfter,
  type HostTerminal,
} from "../../worker/session/host/host-terminal.js";
import { readTerminalSettings } from "../../worker/session/host/stty.js";
import {
  findAdapter,
  GENERIC_ADAPTER,
  loadAdapter,
  getPackagePlace,
  type AdapterPlace,
} from "../../plugins/adapters/adapters.js";
import { requireAgreement } from "../../plugins/adapters/agreed-files.js";
import { findFileLimitProblem, runAlone } from "./run-alone.js";
import type { PreparedSideChannel } from "./side-channel/prepare-side-channel.js";
import type { StartAnnouncement } from "./announce-start.js";
import type { SuperviseRunOptions } from "./supervise-run.js";
import type { RunToolOptions } from "./run-tool-options.js";

/**
 * Runs the tool and resolves to our exit code. Errors: ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED, ATB_ADAPTER_*; with
 * `relayRequired` also why nothing would be relayed.
 */
export async function runTool(options: RunToolOptions): Promise<number> {
  const lack = findFileLimitProblem();
  if (lack !== null) return runUnsupervised(options, lack);
  const events =
    options.events === null ? null : (await import("./supervise-run.js")).openEventOutput(options.events);
  const host = openOwnTerminal(systemClock);
  await host.ready();
  const modes = readTerminalSettings();
  const paths = resolvePaths();
  const [tool, ...userArgs] = options.command;
  const { adapter, problem } = await chooseAdapter(options, paths);
  // The question changes the terminal's settings for a while.
  if (adapter.own) await modes;
  await requireAgreement(adapter.own, paths, options.askToRun);
  if (options.relayRequired) {
    const { requireRelay } = await import("./supervise-run.js");
    const { getToolName } = await import("./announce-start.js");
    const { label, cwd } = options;
    await requireRelay(paths, { tool: getToolName(adapter, tool), label, cwd });
  }
  const reachable = options.nameless === null ? options.cwd : null;
  const isolated = options.isolate ? (await import("./supervise-run.js")).isolateRun(paths, reachable) : null;
  const { args, note: asked, asksLittle } = buildStartingArguments(adapter.asking, userArgs, options.ask);
  const note = isolated ? [isolated.note, asked].filter((each) => each !== null).join("\n") : asked;
  const environment = await buildToolEnvironment(paths.config, process.env);
  const own = { ...buildToolSettings(adapter, options, host), environment, modes: await modes };
  // The tool cannot find its settings in a folder that has no name.
  const mayUseSideChannel = options.relay && options.hooks && options.nameless === null;
  const wanted = (adapter.hooks ?? adapter.coattach) !== null && mayUseSideChannel;
  const { hooked, joined } = wanted ? await loadSideChannel(own, args, options, paths) : NO_SIDE_CHANNEL;
  const changedStart = hooked ?? joined?.start;
  const prepared = options.console
    ? await (await import("./supervise-run.js")).prepareConsole({ ...own, paths }, options)
    : null;
  const folder = prepared?.folder ?? null;
  const isolation =
    isolated && (await import("./supervise-run.js")).allowRunFiles(isolated.isolation, paths, folder);
  const settings = { ...own, isolation, environment: { ...own.environment, ...changedStart?.environment } };
  try {
    const notes = [note, prepared?.banner ?? ""].filter((each) => each !== null && each !== "");
    const command = prepared?.command ?? [tool, ...(changedStart?.args ?? args)];
    const used = prepared ? { ...settings, environment: prepared.environment } : settings;
    const hookAccess = hooked?.access ?? null;
    return await start(
      {
        options: { ...options, asksLittle },
        paths,
        settings: used,
        host,
        note: notes.length > 0 ? notes.join("\n") : null,
        problem,
        hookAccess,
        joined,
        prepared,
        events,
      },
      command,
    );
  } finally {
    hooked?.dispose();
    prepared?.dispose();
    host.endBySignal();
  }
}

/** Errors: those of `runAlone`; ATB_TOOL_START_FAILED if the user requires relaying or isolation. */
async function runUnsupervised(
  { command, relayRequired, isolate, events, ...options }: RunToolOptions,
  lack: string,
): Promise<number> {
  if (!relayRequired && !isolate && events === null) {
    const environment = await buildToolEnvironment(resolvePaths().config, process.env);
    return runAlone(command, { cwd: chooseFolder(options), environment }, lack);
  }
  throw new AtlasBridgeError("ATB_TOOL_START_FAILED", lack, {
    hint: `Raise it, or leave ${relayRequired ? "--relay-required" : isolate ? "--isolate" : "--events"} out.`,
  });
}

function chooseFolder({ cwd, nameless }: Pick<RunToolOptions, "cwd" | "nameless">): string {
  return nameless === null ? cwd : INHERITED_FOLDER;
}

interface ChosenAdapter {
  readonly adapter: CompiledAdapter;
  /** Why it is not the tool's own adapter; null if it is. */
  readonly problem: AtlasBridgeError | null;
}

/** A broken adapter file must not prevent the tool's start, unless the user named it or requires relaying. */
async function chooseAdapter(
  { command: [tool], adapter, relayRequired }: RunToolOptions,
  place: AdapterPlace,
): Promise<ChosenAdapter> {
  try {
    const found = adapter === null ? findAdapter(tool, place) : loadAdapter(adapter, place);
    return { adapter: await found, problem: null };
  } catch (error) {
    if (!(error instanceof AtlasBridgeError) || adapter !== null || relayRequired) throw error;
    return { adapter: await loadAdapter(GENERIC_ADAPTER, getPackagePlace()), problem: error };
  }
}

const NO_SIDE_CHANNEL: PreparedSideChannel = { hooked: null, joined: null };

async function loadSideChannel(
  { adapter, cwd, environment }: ToolSettings,
  args: readonly string[],
  { command: [tool], isolate: isolated }: RunToolOptions,
  paths: Paths,
): Promise<PreparedSideChannel> {
  const { prepareSideChannel } = await import("./side-channel/prepare-side-channel.js");
  return prepareSideChannel({ adapter, tool, args, cwd, environment, paths, isolated });
}

async function start(
  run: StartAnnouncement & Omit<SuperviseRunOptions, "terminal" | "firstOutput" | "plan">,
  command: readonly string[],
): Promise<number> {
  const { host } = run;
  markDescendants();
  const terminal = openTool(run.settings, command);
  try {
    // The tool starts while this loads. Its output waits in its terminal, after our own lines.
    const { announceStart } = await import("./announce-start.js");
    const plan = await announceStart(run);
    return await restoreTerminalAfter(host, async () => {
      await host.takeOver();
      const firstOutput = new FirstOutput(terminal, host);
      await firstOutput.awaitBegin(systemClock);
      const { superviseRun } = await import("./supervise-run.js");
      return superviseRun({ ...run, plan, terminal, firstOutput });
    });
  } finally {
    terminal.close();
  }
}

function buildToolSettings(
  adapter: CompiledAdapter,
  options: RunToolOptions,
  host: HostTerminal,
): Omit<ToolSettings, "environment"> {
  return {
    adapter,
    sessionId: asId<SessionId>(systemRandom.uuid()),
    cwd: chooseFolder(options),
    size: host.size,
    clock: systemClock,
  };
}
