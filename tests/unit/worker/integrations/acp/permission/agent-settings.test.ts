/** The settings of an agent come from configuration, environment and options, and the agent is offered only what its adapter file says. */
import { describe, expect, it } from "vitest";
import {
  readAgentSettings,
  selectOffers,
  describeModeWarning,
} from "../../../../../../src/worker/integrations/acp/permission/agent-settings.js";
import { channelSchemas } from "../../../../../../src/plugins/channels/channel-schemas.js";
import { readSections } from "../../../../../../src/config/load.js";

const NOTHING = { command: [], permissionMode: null };

/** `acp`: the section as people write it. */
function configured(acp: string) {
  const text = `adapters: { acp: { ${acp} } }`;
  const { config, agentProblem } = readSections(text, "config.yaml", channelSchemas);
  if (agentProblem !== null) throw agentProblem;
  return config.adapters.acp;
}

describe("the settings of agents that are talked to", () => {
  it("are by default the first agent that is installed, with every permission raised", () => {
    expect(readAgentSettings(NOTHING, {}, configured(""))).toEqual({
      command: [],
      policy: { mode: "ask", allowlist: [] },
      silenceMs: 300_000,
    });
  });

  it("are the configuration's agent with its arguments, and the configured time", () => {
    const acp = configured("agent_command: gemini, agent_args: [--acp, -m, x], timeout: 10s");
    expect(readAgentSettings(NOTHING, {}, acp)).toMatchObject({
      command: ["gemini", "--acp", "-m", "x"],
      silenceMs: 10_000,
    });
  });

  it("are the environment's before the configuration's, and what is typed before both", () => {
    const acp = configured("agent_command: gemini, permission_mode: deny_all");
    const environment = { ATLASBRIDGE_ACP_AGENT: "qwen", ATLASBRIDGE_ACP_PERMISSION_MODE: "allowlist" };
    expect(readAgentSettings(NOTHING, environment, acp)).toMatchObject({
      command: ["qwen"],
      policy: { mode: "allowlist" },
    });
    const typed = { command: ["opencode", "acp"], permissionMode: "ask" } as const;
    expect(readAgentSettings(typed, environment, acp)).toMatchObject({
      command: ["opencode", "acp"],
      policy: { mode: "ask" },
    });
  });

  it("hold the configured mode and the configured patterns, and name an invalid one", () => {
    const acp = configured("permission_mode: allowlist, permission_allowlist: ['kind:read']");
    const { policy } = readAgentSettings(NOTHING, {}, acp);
    expect(policy).toMatchObject({ mode: "allowlist", allowlist: [{ pattern: "kind:read" }] });
    for (const wrong of ["read", "title~(", "size:1", "kind:"])
      expect(() => readAgentSettings(NOTHING, {}, { ...acp, permission_allowlist: [wrong] })).toThrow(wrong);
  });

  it("refuse where such agents are turned off, and refuse an invalid mode", () => {
    expect(() => readAgentSettings(NOTHING, {}, configured("enabled: false"))).toThrow("turned off");
    const environment = { ATLASBRIDGE_ACP_PERMISSION_MODE: "yolo" };
    expect(() => readAgentSettings(NOTHING, environment, configured(""))).toThrow(
      '"yolo", which is no permission mode',
    );
  });

  it("say what other programs' words for a mode and a time are called here", () => {
    expect(() => configured("permission_mode: interactive")).toThrow(
      'expected "ask" (here that is what asks',
    );
    expect(() => configured("permission_mode: auto_aprove")).toThrow('did you mean "auto_approve"?');
    expect(() => configured("timeout: 300")).toThrow("(for seconds write 30s), found 300");
    const environment = { ATLASBRIDGE_ACP_PERMISSION_MODE: "interactive" };
    expect(() => readAgentSettings(NOTHING, environment, configured(""))).toThrow('expected "ask"');
  });

  it("warn of the mode that allows without asking, and say what is still asked", () => {
    expect(describeModeWarning({ mode: "auto_approve", allowlist: [] })).toMatch(
      /approved automatically; plans and questions still ask$/,
    );
    expect(describeModeWarning({ mode: "allowlist", allowlist: [] })).toBeNull();
  });
});

it("what an agent is offered is what its adapter file says, and nothing that changes anything where all is refused", () => {
  const offers = ["read_files", "write_files", "terminals"] as const;
  expect(selectOffers(offers, { mode: "ask", allowlist: [] })).toEqual(offers);
  expect(selectOffers(offers, { mode: "deny_all", allowlist: [] })).toEqual(["read_files"]);
});
