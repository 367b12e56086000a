/** Chooses the ACP agent and its command: as typed, as its adapter file says, or the first installed one. */
import { basename } from "node:path";
import { AtlasBridgeError } from "../model/errors.js";
import type { AgentOffer } from "../worker/adapter-format/acp-file.js";
import type { AgentRequests } from "../sdk/adapter-code.js";
import type {
  AgentAsking,
  AgentStart,
  CompiledAdapter,
  OwnFile,
} from "../worker/adapter-format/compiled/compiled.js";
import { isInstalled } from "../worker/process/executable.js";
import {
  findAdapter,
  GENERIC_ADAPTER,
  isAdapterTool,
  loadReadableAdapters,
  type AdapterPlace,
} from "../plugins/adapters/adapters.js";
import type { ExecSearch } from "./exec-command.js";

export interface AgentCommand {
  readonly tool: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly offers: readonly AgentOffer[];
  readonly asking: AgentAsking | null;
  readonly requests: AgentRequests;
  /** Null: unknown. */
  readonly install: string | null;
  /** The user's own adapter file. */
  readonly own?: OwnFile | undefined;
}

/**
 * `typed`: executable and arguments; empty: the first installed agent. Errors: ATB_USAGE for a known tool that is no agent;
 * ATB_TOOL_NOT_FOUND, ATB_ADAPTER_INVALID.
 */
export async function findAgentCommand(typed: readonly string[], search: ExecSearch): Promise<AgentCommand> {
  const [tool, ...args] = typed;
  if (tool === undefined) return findFirstInstalled(search);
  const adapter = await findAdapter(tool, search.place);
  if (adapter.acp) return buildAgentCommand(adapter, adapter.acp, tool, args);
  // Arguments may select the tool's agent mode; without them it would draw its interface.
  if (adapter.name !== GENERIC_ADAPTER && args.length === 0)
    throw await createNoAgentError(tool, search.place);
  const unknown = { env: {}, offers: [], asking: null, requests: {}, install: null };
  return { tool: basename(tool), command: typed, ...unknown };
}

async function createNoAgentError(tool: string, place: AdapterPlace): Promise<AtlasBridgeError> {
  const known = (await listAgents(place)).map(({ adapter }) => adapter.name);
  return new AtlasBridgeError("ATB_USAGE", `no adapter says how to start ${basename(tool)} as an ACP agent`, {
    hint: `Supported: ${known.join(", ")}. For others, add the arguments that select agent mode, or a section "acp" to the adapter file; \`atlasbridge run\` without --runtime acp starts the tool's own interface.`,
  });
}

/** Starts exactly the typed file, unless another program implements the agent for the tool. */
function buildAgentCommand(
  adapter: CompiledAdapter,
  { command: [executable = "", ...own], ...known }: AgentStart,
  tool: string,
  args: readonly string[],
): AgentCommand {
  const isTool = isAdapterTool(adapter, executable);
  const file = isTool ? tool : executable;
  const { code, name, process } = adapter;
  const requests = code?.agentRequests ?? {};
  // An installation would not bring the typed path.
  const install = isTool ? (tool.includes("/") ? null : process.install) : known.install;
  const started = { tool: name, command: [file, ...own, ...args], env: process.env, own: adapter.own };
  return { ...started, requests, ...known, install };
}

async function findFirstInstalled({ place, environment, cwd }: ExecSearch): Promise<AgentCommand> {
  const known = (await listAgents(place)).map(({ adapter, acp }) => ({
    adapter,
    acp,
    executable: acp.command[0] ?? adapter.name,
  }));
  const found = known.find(({ executable }) => isInstalled(executable, { path: environment["PATH"], cwd }));
  if (found) return buildAgentCommand(found.adapter, found.acp, found.executable, []);
  throw new AtlasBridgeError("ATB_TOOL_NOT_FOUND", "no ACP agent is installed", {
    hint: `Install one of ${known.map(({ executable }) => executable).join(", ")}, or give the command of another one.`,
  });
}

interface Agent {
  readonly adapter: CompiledAdapter;
  readonly acp: AgentStart;
}

async function listAgents(place: AdapterPlace): Promise<readonly Agent[]> {
  return (await loadReadableAdapters(place)).flatMap((adapter) =>
    adapter.acp ? [{ adapter, acp: adapter.acp }] : [],
  );
}
