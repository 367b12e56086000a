/** Composes the MCP server: the runtime over our standard streams, and a hub session as soon as people are needed. */
import { HOW_TO_REGISTER } from "../worker/integrations/mcp/how-to-register.js";
import { resolvePaths, type Paths } from "../config/paths.js";
import { EXIT } from "../model/errors.js";
import { asId, type SessionId } from "../model/ids.js";
import { systemClock } from "../observe/clock.js";
import { getCurrentFolder } from "../observe/current-folder.js";
import { systemRandom } from "../observe/random.js";
import { safeText } from "../safety/safe-text.js";
import type { CompiledAdapter } from "../worker/adapter-format/compiled/compiled.js";
import { McpAdapter, type McpReach } from "../worker/integrations/mcp/mcp-adapter.js";
import { findAdapter, GENERIC_ADAPTER } from "../plugins/adapters/adapters.js";
import { connectSession, type SessionLink } from "./run/relay/connect-session.js";
import { announce } from "../worker/session/host/announce.js";
import { readConfig, sayGoodbye } from "./run/run-lifecycle.js";
import { getProgramVersion } from "../observe/program-version.js";

/** Longest client name. */
const NAME_LENGTH_MAX = 60;
const NAMELESS = "agent";

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
  const reach = async (client: string): Promise<McpReach> => {
    const { tool, rules } = await chooseName(client, paths);
    const options = { label, cwd, command: process.argv.slice(0, 2) };
    const made = connectSession({ adapter, capturer: null, sessionId, paths, tool, options });
    link = made;
    return {
      tool,
      rules,
      get problem() {
        return made.connected
          ? null
          : `AtlasBridge cannot reach anybody: ${broken ?? made.problem ?? NO_HUB}`;
      },
      tell: (message) => made.notifyPeople(message),
    };
  };
  const adapter = new McpAdapter({
    sessionId,
    input: process.stdin,
    output: process.stdout,
    cwd,
    clock: systemClock,
    random: systemRandom,
    redact: safeText,
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

/** A client with an adapter file gets the adapter's name; any other its own, in one short line. */
async function chooseName(
  client: string,
  place: Paths,
): Promise<{ readonly tool: string; readonly rules: CompiledAdapter["hooks"] }> {
  const name = client
    .replace(/[^\p{L}\p{N} ._-]/gu, "")
    .trim()
    .slice(0, NAME_LENGTH_MAX);
  if (name === "") return { tool: NAMELESS, rules: null };
  // A broken adapter file must not prevent asking.
  const adapter = await findAdapter(name, place).catch(() => null);
  const isKnown = adapter !== null && adapter.name !== GENERIC_ADAPTER;
  return isKnown ? { tool: adapter.name, rules: adapter.hooks } : { tool: name, rules: null };
}
