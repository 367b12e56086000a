/** Which agent to talk to, and how it is started: as typed, as its adapter file says, or the first one that is installed. */
import { basename } from "node:path";
import { AtlasBridgeError } from "../../model/errors.js";
import type { AgentOffer } from "../../worker/adapter-format/acp-file.js";
import type { AgentRequests } from "../../sdk/adapter-code.js";
import type {
  AgentAsking,
  AgentStart,
  CompiledAdapter,
} from "../../worker/adapter-format/compiled/compiled.js";
import type { Environment } from "../../worker/process/child-environment.js";
import { isInstalled } from "../../worker/process/executable.js";
import {
  adapterFor,
  adapterNames,
  GENERIC_ADAPTER,
  isToolOf,
  loadAdapter,
  type AdapterPlace,
} from "../../plugins/adapters/adapters.js";

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
 * first that is installed. Errors: ATB_USAGE where a tool is known, and not as an agent; ATB_TOOL_NOT_FOUND, ATB_ADAPTER_INVALID.
 */
export async function agentCommand(typed: readonly string[], search: AgentSearch): Promise<AgentCommand> {
  const [tool, ...args] = typed;
  if (tool === undefined) return firstInstalled(search);
  const adapter = await adapterFor(tool, search.place);
  if (adapter.acp) return started(adapter, adapter.acp, tool, args);
  // Arguments may be what makes an agent of it; alone it would draw its interface.
  if (adapter.name !== GENERIC_ADAPTER && args.length === 0) throw await noAgent(tool, search.place);
  const unknown = { env: {}, offers: [], asking: null, requests: {} };
  return { tool: basename(tool), command: typed, ...unknown };
}

async function noAgent(tool: string, place: AdapterPlace): Promise<AtlasBridgeError> {
  const known = (await agents(place)).map(({ adapter }) => adapter.name);
  return new AtlasBridgeError(
    "ATB_USAGE",
    `it is not known how to start ${basename(tool)} as an agent that is talked to`,
    {
      hint: `Known are: ${known.join(", ")}. Any other: with the arguments that make an agent of it, or a section "acp" in its adapter file; \`atlasbridge run\` without --runtime acp starts its interface.`,
    },
  );
}

/** The file that was typed is the one that is started, unless another program speaks for the tool. */
function started(
  adapter: CompiledAdapter,
  { command: [executable = "", ...own], ...known }: AgentStart,
  tool: string,
  args: readonly string[],
): AgentCommand {
  const file = isToolOf(adapter, executable) ? tool : executable;
  const { code, name, process } = adapter;
  const requests = code?.agentRequests ?? {};
  return { tool: name, command: [file, ...own, ...args], env: process.env, requests, ...known };
}

async function firstInstalled({ place, environment, cwd }: AgentSearch): Promise<AgentCommand> {
  const known = (await agents(place)).map(({ adapter, acp }) => ({
    adapter,
    acp,
    executable: acp.command[0] ?? adapter.name,
  }));
  const found = known.find(({ executable }) => isInstalled(executable, { path: environment["PATH"], cwd }));
  if (found) return started(found.adapter, found.acp, found.executable, []);
  throw new AtlasBridgeError("ATB_TOOL_NOT_FOUND", "no agent that can be talked to is installed", {
    hint: `Install one of ${known.map(({ executable }) => executable).join(", ")}, or name the command of another.`,
  });
}

interface Agent {
  readonly adapter: CompiledAdapter;
  readonly acp: AgentStart;
}

/** All that adapter files know how to start as agents. */
async function agents(place: AdapterPlace): Promise<readonly Agent[]> {
  // An adapter file that is broken is no reason not to take another; `adapter list` and doctor say what is wrong with it.
  const adapters = await Promise.all(
    adapterNames(place).map((name) => loadAdapter(name, place).catch(() => null)),
  );
  return adapters.flatMap((adapter) => (adapter?.acp ? [{ adapter, acp: adapter.acp }] : []));
}
