/** Builds the command with which `exec` runs a tool, from its adapter file and the typed executable. */
import { basename } from "node:path";
import { AtlasBridgeError } from "../model/errors.js";
import type { CompiledAdapter } from "../worker/adapter-format/compiled/compiled.js";
import type { CompiledHeadless } from "../worker/adapter-format/compiled/compiled-headless.js";
import {
  buildCommand,
  prepareLiveCommand,
  buildProtocolArguments,
  validateAllowedTools,
  type DriverTask,
} from "../worker/runtimes/exec/command-builder.js";
import type { ExecOptions } from "./exec-options.js";
import { isInstalled } from "../worker/process/executable.js";
import { type Environment, createChildEnvironment } from "../worker/process/child-environment.js";
import {
  findAdapter,
  isAdapterTool,
  loadReadableAdapters,
  type AdapterPlace,
} from "../plugins/adapters/adapters.js";
import { quoteShellWord } from "../safety/shell-word.js";
import { execFile } from "node:child_process";
import type { SessionId } from "../model/ids.js";
import { findListedSessionId } from "../worker/runtimes/exec/session-id.js";

export interface ExecSearch {
  readonly place: AdapterPlace;
  readonly environment: Environment;
  readonly cwd: string;
}

export interface ExecTool {
  readonly adapter: CompiledAdapter;
  readonly driver: CompiledHeadless;
  readonly executable: string;
}

/** Errors: ATB_USAGE. */
export function chooseExecTool(typed: string | null, configured: string | null): string {
  const tool = typed ?? configured;
  if (tool !== null) return tool;
  throw new AtlasBridgeError("ATB_USAGE", "no tool was named", {
    hint: "Name it (`atlasbridge exec TOOL …`), or set exec.tool in the configuration.",
  });
}

/** Errors: ATB_USAGE if no adapter says how the tool runs headless; ATB_ADAPTER_INVALID, ATB_TOOL_NOT_FOUND. */
export async function findExecTool(typed: string, search: ExecSearch): Promise<ExecTool> {
  const adapter = await findAdapter(typed, search.place);
  const { headless: driver } = adapter;
  if (!driver) {
    throw new AtlasBridgeError("ATB_USAGE", `no adapter says how to run ${basename(typed)} headless`, {
      hint: `Supported: ${(await listExecTools(search.place)).join(", ")}. For others use \`atlasbridge run\`, or add a section "headless" to the adapter file.`,
    });
  }
  return { adapter, driver, executable: findExecutable(adapter, typed, search) };
}

/** `input`: for a tool in batch mode. Errors: ATB_USAGE if the tool does not support the options. */
export function buildExecCommand(
  driven: ExecTool,
  { batch, task, context, allowTools }: Pick<ExecOptions, "batch" | "task" | "context" | "allowTools">,
  session: string | null,
): { readonly command: readonly string[]; readonly input: string | null } {
  if (batch) return buildBatchCommand(driven, { prompt: task, context, allowTools, session });
  return { command: buildProtocolCommand(driven, { session, allowTools }), input: null };
}

/** Errors: ATB_USAGE if the tool has no protocol, or not with these options. */
export function buildProtocolCommand(
  { adapter, driver, executable }: ExecTool,
  task: Omit<DriverTask, "prompt" | "context">,
): readonly string[] {
  const { talk } = driver;
  if (talk === null)
    throw new AtlasBridgeError(
      "ATB_USAGE",
      `${driver.displayName} cannot relay prompts when it runs headless`,
      {
        hint: "Run it in a terminal, or with --batch: then nothing is relayed, and the tool refuses what its own settings do not allow.",
      },
    );
  validateAllowedTools(driver, task.allowTools);
  const [program = "", ...acp] = talk.speaks === "acp" ? (adapter.acp?.command ?? []) : [];
  // Another program may implement the protocol for the tool.
  const file = program === "" || isAdapterTool(adapter, program) ? executable : program;
  return [file, ...buildProtocolArguments(driver, talk, task, acp)];
}

/** Errors: ATB_USAGE. */
function buildBatchCommand(
  { driver, executable }: ExecTool,
  task: DriverTask,
): { readonly command: readonly string[]; readonly input: string | null } {
  validateAllowedTools(driver, task.allowTools);
  const { args, input } = buildCommand(driver, task);
  return { command: [executable, ...prepareLiveCommand(driver, args)], input };
}

/** If the name stands for several programs, the first installed one is used. */
function findExecutable(
  { name, process, aliases, headless }: CompiledAdapter,
  typed: string,
  search: ExecSearch,
): string {
  const isName = typed === name || aliases.includes(typed);
  const own = headless?.executables ?? [];
  const names = own.length > 0 ? own : process.executables;
  const places = { path: search.environment["PATH"], cwd: search.cwd };
  return isName ? (names.find((each) => isInstalled(each, places)) ?? names[0] ?? typed) : typed;
}

async function listExecTools(place: AdapterPlace): Promise<string[]> {
  return (await loadReadableAdapters(place)).filter(({ headless }) => headless).map(({ name }) => name);
}

export function formatCommand(tool: string, command: readonly string[], cwd: string): string {
  const [program = ""] = command;
  const isThere = isInstalled(program, { path: process.env["PATH"], cwd });
  return `${tool}: ${command.map(quoteShellWord).join(" ")}${isThere ? "" : " (not installed)"}\n`;
}

const WITHIN_MS = 15_000;
const OUTPUT_BYTES_MAX = 8 * 1024 * 1024;

/** Null if the session is ambiguous. */
export function findListedSession(
  { driver, executable }: ExecTool,
  {
    cwd,
    environment,
    sessionId,
  }: { readonly cwd: string; readonly environment: Environment; readonly sessionId: SessionId },
): Promise<string | null> {
  const { sessionList } = driver;
  if (sessionList === null) return Promise.resolve(null);
  const env = createChildEnvironment(environment, sessionId);
  const options = { cwd, env, timeout: WITHIN_MS, maxBuffer: OUTPUT_BYTES_MAX };
  return new Promise((resolve) => {
    execFile(executable, [...sessionList.args], options, (error, output) =>
      resolve(error ? null : findListedSessionId(output, sessionList.id)),
    );
  });
}
