/** Composes the MCP server: the runtime over our standard streams, and a hub session as soon as people are needed. */
import { HOW_TO_REGISTER } from "../worker/integrations/mcp/how-to-register.js";
import { resolvePaths } from "../config/paths.js";
import { EXIT } from "../model/errors.js";
import { asId, type SessionId } from "../model/ids.js";
import { systemClock } from "../observe/clock.js";
import { getCurrentFolder } from "../observe/current-folder.js";
import { systemRandom } from "../observe/random.js";
import { sanitizeText } from "../safety/safe-text.js";
import { McpAdapter, type McpReach } from "../worker/integrations/mcp/mcp-adapter.js";
import { nameClient } from "../plugins/adapters/name-client.js";
import { createAgentConsoles } from "../console/agent-consoles.js";
import type { AgentConsoles } from "../worker/integrations/mcp/console-tools.js";
import { connectSession, type SessionLink } from "./run/relay/connect-session.js";
import { announce } from "../worker/session/host/announce.js";
import { readConfig, sayGoodbye } from "./run/run-lifecycle.js";
import { getProgramVersion } from "../observe/package-root.js";

export interface ServeMcpOptions {
  readonly label: string | null;
}

/** Resolves to our exit code when the client is gone and the hub knows. Errors: those of `resolvePaths`. */
export async function serveMcp({ label }: ServeMcpOptions): Promise<number> {
  const paths = resolvePaths();
  const { config, problem: broken } = readConfig(paths);
  const sessionId = asId<SessionId>(systemRandom.uuid());
  const cwd = getCurrentFolder();
  let link: SessionLink | null = null;
  let consoles: AgentConsoles | null = null;
  const reach = async (client: string): Promise<McpReach> => {
    const { tool, rules } = await nameClient(client, paths);
    const options = { label, cwd, command: process.argv.slice(0, 2) };
    const made = connectSession({ adapter, sessionId, paths, tool, options });
    link = made;
    return {
      tool,
      rules,
      get problem() {
        return made.connected
          ? null
          : `AtlasBridge cannot reach anybody: ${broken ?? made.problem ?? NO_HUB}`;
      },
      notify: (message) => made.notifyPeople(message),
      consoles: (consoles = createAgentConsoles({ call: made.call, sessionId, cwd, paths })),
    };
  };
  const adapter = new McpAdapter({
    sessionId,
    input: process.stdin,
    output: process.stdout,
    cwd,
    clock: systemClock,
    random: systemRandom,
    safeText: sanitizeText,
    version: getProgramVersion(),
    expiresAfterMs: config.prompts.expires_after,
    reach,
  });
  let code: number = EXIT.ok;
  leaveByClient(() => void adapter.terminateSession(sessionId));
  await adapter.startSession();
  if (process.stdin.isTTY)
    leaveByPerson(() => {
      code = EXIT.interrupted;
      void adapter.terminateSession(sessionId);
    });
  await adapter.closed;
  await (consoles as AgentConsoles | null)?.end();
  await sayGoodbye(link, { exitCode: null, signal: null, signalName: null });
  (link as SessionLink | null)?.close();
  // A reader of our standard input may still keep the process alive.
  process.stdin.destroy();
  return code;
}

const NO_HUB = "no hub is running (see `atlasbridge doctor`)";

/** Ctrl-C in the client's terminal is meant for the client; it stops us by closing our input or with a signal. */
function leaveByClient(leave: () => void): void {
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", leave);
  process.on("SIGHUP", leave);
}

const FOR_A_CLIENT = `this is an MCP server for agents, which start it themselves: register it there. ${HOW_TO_REGISTER}. Ctrl-C ends it.`;

/** No client gives us a terminal as input, so a person typed the command and gets an explanation. */
function leaveByPerson(leave: () => void): void {
  process.on("SIGINT", leave);
  announce([`atlasbridge: ${FOR_A_CLIENT}`]);
}
