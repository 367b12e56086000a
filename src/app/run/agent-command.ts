/** Which agent to talk to, and how it is started: as typed, as its adapter file says, or the first one that is installed. */
import { basename } from "node:path";
import { AtlasBridgeError } from "../../model/errors.js";
import type { AgentOffer } from "../../worker/detect/acp-file.js";
import {
  PLAIN_REQUESTS,
  type AgentAsking,
  type AgentRequests,
  type AgentStart,
  type CompiledAdapter,
} from "../../worker/detect/compiled.js";
import type { Environment } from "../../worker/transport/child-environment.js";
import { isInstalled } from "../../worker/transport/executable.js";
import {
  adapterFor,
  adapterNames,
  GENERIC_ADAPTER,
  isToolOf,
  loadAdapter,
  type AdapterPlace,
} from "../adapters/adapters.js";

export interface AgentCommand {
  /** What people know it by. */
  readonly tool: string;
  readonly command: readonly string[];
  /** Environment that its adapter file wants. */
  readonly env: Readonly<Record<string, string>>;
  /** What it is offered to have done for it. */
  readonly offers: readonly AgentOffer[];
  readonly asking: AgentAsking | null;
  readonly requests: AgentRequests;
}

export interface AgentSearch {
  readonly place: AdapterPlace;
  readonly environment: Environment;
  readonly cwd: string;
}

/**
 * `typed`: executable and arguments; an agent that an adapter file knows is started as that says, with the arguments behind. Empty: the
 * first that is installed. Errors: ATB_TOOL_NOT_FOUND, ATB_ADAPTER_INVALID.
 */
export async function agentCommand(typed: readonly string[], search: AgentSearch): Promise<AgentCommand> {
  const [tool, ...args] = typed;
  if (tool === undefined) return firstInstalled(search);
  const adapter = await adapterFor(tool, search.place);
  return adapter.acp
    ? started(adapter, adapter.acp, tool, args)
    : { tool: basename(tool), command: typed, env: {}, offers: [], asking: null, requests: PLAIN_REQUESTS };
}

/** The file that was typed is the one that is started, unless another program speaks for the tool. */
function started(
  adapter: CompiledAdapter,
  { command: [executable = "", ...own], ...known }: AgentStart,
  tool: string,
  args: readonly string[],
): AgentCommand {
  const file = isToolOf(adapter, executable) ? tool : executable;
  return { tool: adapter.name, command: [file, ...own, ...args], env: adapter.process.env, ...known };
}

async function firstInstalled(search: AgentSearch): Promise<AgentCommand> {
  const known: string[] = [];
  for (const name of adapterNames(search.place)) {
    if (name === GENERIC_ADAPTER) continue;
    const adapter = await loadAdapter(name, search.place);
    const [executable] = adapter.acp?.command ?? [];
    if (!adapter.acp || executable === undefined) continue;
    known.push(executable);
    if (isInstalled(executable, { path: search.environment["PATH"], cwd: search.cwd }))
      return started(adapter, adapter.acp, executable, []);
  }
  throw new AtlasBridgeError("ATB_TOOL_NOT_FOUND", "no agent that can be talked to is installed", {
    hint: `Install one of ${known.join(", ")}, or name the command of another.`,
  });
}
