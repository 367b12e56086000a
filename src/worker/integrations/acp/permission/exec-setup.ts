/** What the configuration says of a tool that `exec` talks to as an agent of the Agent Client Protocol. */
import type { Config } from "../../../../config/schema.js";
import type { Paths } from "../../../../config/paths.js";
import type { CompiledAdapter } from "../../../adapter-format/compiled/compiled.js";
import type { CompiledHeadless } from "../../../adapter-format/compiled/compiled-headless.js";
import type { Environment } from "../../../process/child-environment.js";
import type { AcpExecSetup } from "../exec-client.js";
import { readAgentSettings, selectOffers, type AgentSettings } from "./agent-settings.js";

/** A tool that `exec` runs. */
interface AgentTool {
  readonly adapter: Pick<CompiledAdapter, "acp">;
  readonly driver: Pick<CompiledHeadless, "talk">;
  readonly executable: string;
}

/** Null: the tool is not talked to in that protocol. Errors: those of `readAgentSettings`. */
export function findAgentSettings(
  { driver, executable }: Omit<AgentTool, "adapter">,
  { batch }: { readonly batch: boolean },
  environment: Environment,
  config: Config,
): AgentSettings | null {
  if (batch || driver.talk?.speaks !== "acp") return null;
  return readAgentSettings({ command: [executable], permissionMode: null }, environment, config.adapters.acp);
}

/** What is done for the agent on its word, and what is answered without asking. */
export function buildAgentSetup(
  { policy }: AgentSettings,
  { adapter }: Pick<AgentTool, "adapter">,
  paths: Paths,
  parts: Pick<AcpExecSetup["services"], "environment" | "sessionId" | "random"> &
    Pick<AcpExecSetup["permissions"], "record">,
): AcpExecSetup {
  const { record, ...session } = parts;
  const offers = selectOffers(adapter.acp?.offers ?? [], policy);
  return {
    permissions: { policy, record },
    services: { ...session, offers, offLimits: [paths.configDir, paths.dataDir] },
  };
}
