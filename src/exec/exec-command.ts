/** How `exec` runs a tool: by its adapter file, with the executable that was typed. */
import { basename } from "node:path";
import { AtlasBridgeError } from "../model/errors.js";
import type { CompiledAdapter } from "../worker/adapter-format/compiled/compiled.js";
import type { CompiledHeadless } from "../worker/adapter-format/compiled/compiled-headless.js";
import {
  buildCommand,
  prepareLiveCommand,
  talkArguments,
  validateAllowedTools,
  type DriverTask,
} from "../worker/runtimes/exec/command-builder.js";
import { isInstalled } from "../worker/process/executable.js";
import type { Environment } from "../worker/process/child-environment.js";
import {
  adapterFor,
  adapterNames,
  isToolOf,
  loadAdapter,
  type AdapterPlace,
} from "../plugins/adapters/adapters.js";

export interface ExecSearch {
  readonly place: AdapterPlace;
  readonly environment: Environment;
  readonly cwd: string;
}

export interface Driven {
  readonly adapter: CompiledAdapter;
  readonly driver: CompiledHeadless;
  /** The file that is started. */
  readonly executable: string;
}

/** Errors: ATB_USAGE where nobody has said how the tool is run without its interface; ATB_ADAPTER_INVALID, ATB_TOOL_NOT_FOUND. */
export async function drivenTool(typed: string, search: ExecSearch): Promise<Driven> {
  const adapter = await adapterFor(typed, search.place);
  const { headless: driver } = adapter;
  if (!driver) {
    throw new AtlasBridgeError(
      "ATB_USAGE",
      `it is not known how to run ${basename(typed)} without its interface`,
      {
        hint: `Known are: ${(await drivenNames(search.place)).join(", ")}. Any other: \`atlasbridge run\`, or a section "headless" in its adapter file.`,
      },
    );
  }
  return { adapter, driver, executable: executableOf(adapter, typed, search) };
}

/** Errors: ATB_USAGE where the tool cannot be talked to, or not as is wanted. */
export function talkCommand(
  { adapter, driver, executable }: Driven,
  task: Omit<DriverTask, "prompt" | "context">,
): readonly string[] {
  const { talk } = driver;
  if (talk === null)
    throw new AtlasBridgeError("ATB_USAGE", `${driver.displayName} cannot ask without its interface`, {
      hint: "Run it in a terminal, or with --batch: then nobody is asked, and what its own settings do not allow it refuses by itself.",
    });
  validateAllowedTools(driver, task.allowTools);
  const [program = "", ...acp] = talk.speaks === "acp" ? (adapter.acp?.command ?? []) : [];
  // Another program may speak the protocol for it.
  const file = program === "" || isToolOf(adapter, program) ? executable : program;
  return [file, ...talkArguments(driver, talk, task, acp)];
}

/** The same for a tool that does one task and ends, asking nobody. Errors: ATB_USAGE. */
export function batchCommand(
  { driver, executable }: Driven,
  task: DriverTask,
): { readonly command: readonly string[]; readonly input: string | null } {
  validateAllowedTools(driver, task.allowTools);
  const { args, input } = buildCommand(driver, task);
  return { command: [executable, ...prepareLiveCommand(driver, args)], input };
}

/** What was typed; a name that stands for several programs is the first of them that is installed (the driver spec's "dynamic" binary). */
function executableOf(
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

async function drivenNames(place: AdapterPlace): Promise<string[]> {
  // An adapter file that is broken is no reason not to tell of the others.
  const adapters = await Promise.all(
    adapterNames(place).map((name) => loadAdapter(name, place).catch(() => null)),
  );
  return adapters.flatMap((adapter) => (adapter?.headless ? [adapter.name] : []));
}
