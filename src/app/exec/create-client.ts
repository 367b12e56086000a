/** Which words a tool is spoken to in. */
import { invariant } from "../../model/errors.js";
import { PLAIN_REQUESTS } from "../../worker/adapter-format/compiled/compiled.js";
import { AcpDialogue } from "../../worker/integrations/acp/exec-client.js";
import type { ExecClient, DialogueParts } from "../../worker/runtimes/exec/exec-client.js";
import { AppServer } from "../../worker/integrations/codex/exec-client.js";
import { BatchClient } from "../../worker/runtimes/exec/batch-client.js";
import { SessionServer } from "../../worker/integrations/opencode/exec-client.js";
import { StreamJson } from "../../worker/integrations/claude/exec-client.js";
import type { Login } from "../../worker/loopback/loopback-client.js";
import type { Driven } from "./exec-command.js";

/** `task`: what a tool is written that asks nobody; see `OneTask`. */
export function oneTask({ driver }: Driven, parts: DialogueParts, task: string | null): ExecClient {
  return new BatchClient({ ...parts, ...driver, task });
}

/** `login`: of a tool that is a server; null for all others. */
export function createClient(
  { adapter, driver }: Driven,
  parts: DialogueParts,
  login: Login | null = null,
): ExecClient {
  const { talk, show, sessionIn } = driver;
  invariant(talk, "a tool that cannot be talked to was talked to");
  const rules = show === "lines" ? [] : show;
  switch (talk.speaks) {
    case "stream_json":
      return new StreamJson({
        ...parts,
        rules: adapter.hooks,
        show: rules,
        sessionIn,
      });
    case "app_server":
      return new AppServer({ ...parts, show: rules });
    case "session_server":
      invariant(login, "a server was spoken to without its password");
      return new SessionServer({ ...parts, login, asks: talk.asks, show: rules });
    case "acp":
      return new AcpDialogue({
        ...parts,
        asking: adapter.acp?.asking ?? null,
        requests: adapter.acp?.requests ?? PLAIN_REQUESTS,
      });
  }
}
