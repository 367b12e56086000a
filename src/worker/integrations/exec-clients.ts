/** The client that `exec` talks to a tool with, by the protocol that its adapter file names. */
import { invariant } from "../../model/errors.js";
import type { Random } from "../../observe/random.js";
import { AcpExecClient } from "./acp/exec-client.js";
import type { ExecClient, ExecClientParts } from "../runtimes/exec/exec-client.js";
import { CodexExecClient } from "./codex/exec-client.js";
import { BatchClient } from "../runtimes/exec/batch-client.js";
import { OpenCodeExecClient } from "./opencode/exec-client.js";
import { createServerLogin, type ServerLogin } from "./opencode/server-login.js";
import { ClaudeExecClient } from "./claude/exec-client.js";
import type { Login } from "../loopback/loopback-client.js";

import type { CompiledAdapter } from "../adapter-format/compiled/compiled.js";
import type { CompiledHeadless, Talk } from "../adapter-format/compiled/compiled-headless.js";

/** A tool that `exec` runs. */
export interface ExecClientTool {
  readonly adapter: Pick<CompiledAdapter, "hooks" | "acp" | "code">;
  readonly driver: CompiledHeadless;
}

/** `task`: what a tool is written that asks nobody; see `BatchClient`. */
export function createBatchClient(
  { driver }: ExecClientTool,
  parts: ExecClientParts,
  task: string | null,
): ExecClient {
  return new BatchClient({ ...parts, ...driver, task });
}

/** The login of the server that this tool is; null for tools that are no servers. */
export function createExecLogin(talk: Talk | null, random: Pick<Random, "nonce">): ServerLogin | null {
  return talk?.speaks === "session_server" ? createServerLogin(random) : null;
}

/** `login`: of a tool that is a server; null for all others. */
export function createClient(
  { adapter, driver }: ExecClientTool,
  parts: ExecClientParts,
  login: Login | null = null,
): ExecClient {
  const { talk, show, sessionIn } = driver;
  invariant(talk, "a tool that cannot be talked to was talked to");
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
      invariant(login, "a server was spoken to without its password");
      return new OpenCodeExecClient({ ...parts, login, show: rules });
    case "acp":
      return new AcpExecClient({
        ...parts,
        asking: adapter.acp?.asking ?? null,
        requests: adapter.code?.agentRequests ?? {},
      });
  }
}
