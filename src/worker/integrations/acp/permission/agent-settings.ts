/** How an agent is started, and its permission mode: as typed, else from the environment, else from the configuration. */
import type { Paths } from "../../../../config/paths.js";
import type { Config } from "../../../../config/schema.js";
import { AtlasBridgeError } from "../../../../model/errors.js";
import { describeModes, PERMISSION_MODES, type PermissionMode } from "../../../../model/permission-mode.js";
import type { AcpSetup } from "../acp-agent.js";
import { parseAllowRule, type PermissionPolicy } from "./permission-mode.js";
import type { AgentOffer } from "../../../adapter-format/acp-file.js";
import type { CompiledAdapter } from "../../../adapter-format/compiled/compiled.js";
import type { CompiledHeadless } from "../../../adapter-format/compiled/compiled-headless.js";
import type { Environment } from "../../../process/child-environment.js";

export const AGENT_VARIABLE = "ATLASBRIDGE_ACP_AGENT";
export const MODE_VARIABLE = "ATLASBRIDGE_ACP_PERMISSION_MODE";

export interface AgentSettings {
  /** Empty: the first installed agent. */
  readonly command: readonly string[];
  readonly policy: PermissionPolicy;
  readonly silenceMs: number;
}

export interface TypedSettings {
  readonly command: readonly string[];
  readonly permissionMode: PermissionMode | null;
}

/** Errors: ATB_USAGE where ACP agents are turned off; ATB_CONFIG_INVALID for an invalid mode or pattern. */
export function readAgentSettings(
  typed: TypedSettings,
  environment: Environment,
  { enabled, agent_command, agent_args, timeout, ...acp }: Config["adapters"]["acp"],
): AgentSettings {
  if (!enabled)
    throw new AtlasBridgeError("ATB_USAGE", "ACP agents are turned off (adapters.acp.enabled)", {
      hint: "Turn them on, or run the tool in its terminal: `atlasbridge run`, without --runtime acp.",
    });
  const named = environment[AGENT_VARIABLE]?.trim();
  const configured = agent_command === null ? [] : [agent_command, ...agent_args];
  const otherwise = named ? [named] : configured;
  return {
    command: typed.command.length > 0 ? typed.command : otherwise,
    policy: {
      mode: typed.permissionMode ?? readMode(environment) ?? acp.permission_mode,
      allowlist: acp.permission_allowlist.map(parseAllowRule),
    },
    silenceMs: timeout,
  };
}

function readMode(environment: Environment): PermissionMode | null {
  const named = environment[MODE_VARIABLE]?.trim();
  if (!named) return null;
  const mode = PERMISSION_MODES.find((each) => each === named);
  if (mode) return mode;
  const message = `${MODE_VARIABLE} is ${JSON.stringify(named)}, which is no permission mode: ${describeModes(named)}`;
  throw new AtlasBridgeError("ATB_CONFIG_INVALID", message, {
    hint: "Correct it, or unset it.",
  });
}

/** Printed even with --quiet. */
export function describeModeWarning({ mode }: PermissionPolicy): string | null {
  return mode === "auto_approve"
    ? "atlasbridge: WARNING: auto_approve: this agent's permissions are approved automatically; plans and questions still ask"
    : null;
}

/** With `deny_all` the agent may not change anything through us either. */
export function selectOffers(
  offers: readonly AgentOffer[],
  { mode }: PermissionPolicy,
): readonly AgentOffer[] {
  return mode === "deny_all" ? offers.filter((offer) => offer === "read_files") : offers;
}

/** For `exec`; null: the tool does not speak ACP. Errors: those of `readAgentSettings`. */
export function findAgentSettings(
  { driver, executable }: { readonly driver: Pick<CompiledHeadless, "talk">; readonly executable: string },
  { batch }: { readonly batch: boolean },
  environment: Environment,
  config: Config,
): AgentSettings | null {
  if (batch || driver.talk?.speaks !== "acp") return null;
  return readAgentSettings({ command: [executable], permissionMode: null }, environment, config.adapters.acp);
}

export function buildAgentSetup(
  { policy }: AgentSettings,
  { adapter }: { readonly adapter: Pick<CompiledAdapter, "acp"> },
  paths: Paths,
  parts: Pick<AcpSetup["services"], "environment" | "sessionId" | "random"> &
    Pick<AcpSetup["permissions"], "record">,
): AcpSetup {
  const { record, ...session } = parts;
  const offers = selectOffers(adapter.acp?.offers ?? [], policy);
  return {
    permissions: { policy, record },
    services: { ...session, offers, offLimits: [paths.configDir, paths.dataDir] },
  };
}
