/** Creates the client for `exec`, by the protocol that the adapter file names. */
import { assertInvariant } from "../../model/errors.js";
import type { Random } from "../../observe/random.js";
import type { AcpSetup } from "./acp/acp-agent.js";
import { AcpExecClient } from "./acp/exec-client.js";
import type { ExecClient, ExecClientParts } from "../runtimes/exec/exec-client.js";
import { CodexExecClient } from "./codex/exec-client.js";
import { BatchClient } from "../runtimes/exec/batch-client.js";
import { OpenCodeExecClient } from "./opencode/exec-client.js";
import { createServerLogin, type ServerLogin } from "./opencode/server-setup.js";
import { ClaudeExecClient } from "./claude/exec-client.js";
import type { Login } from "../loopback/loopback-client.js";
import type { CompiledAdapter } from "../adapter-format/compiled/compiled.js";
import type { CompiledHeadless, Talk } from "../adapter-format/compiled/compiled-headless.js";

export interface ExecClientTool {
  readonly adapter: Pick<CompiledAdapter, "hooks" | "acp" | "code">;
  readonly driver: CompiledHeadless;
}

export function createBatchClient(
  { driver }: ExecClientTool,
  parts: ExecClientParts,
  task: string | null,
): ExecClient {
  return new BatchClient({ ...parts, ...driver, task });
}

/** Null for a tool that is no server. */
export function createExecLogin(talk: Talk | null, random: Pick<Random, "nonce">): ServerLogin | null {
  return talk?.speaks === "session_server" ? createServerLogin(random) : null;
}

/** `login` is for servers only, `acp` for ACP agents only. */
export function createClient(
  { adapter, driver }: ExecClientTool,
  parts: ExecClientParts,
  login: Login | null = null,
  acp: AcpSetup | null = null,
): ExecClient {
  const { talk, show, sessionIn } = driver;
  assertInvariant(talk, "a tool that cannot be talked to was talked to");
  const rules = show === "lines" ? [] : show;
  switch (talk.speaks) {
    case "stream_json":
      return new ClaudeExecClient({
        ...parts,
        rules: adapter.hooks,
        show: rules,
        sessionIn,
      });
    case "app_server":
      return new CodexExecClient({ ...parts, show: rules });
    case "session_server":
      assertInvariant(login, "a server was spoken to without its password");
      return new OpenCodeExecClient({ ...parts, login, show: rules });
    case "acp":
      assertInvariant(acp, "an agent was spoken to without its settings");
      return new AcpExecClient({
        ...parts,
        ...acp,
        asking: adapter.acp?.asking ?? null,
        requests: adapter.code?.agentRequests ?? {},
      });
  }
}
