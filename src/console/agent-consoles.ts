/** Gives an agent the consoles of other sessions, and starts sessions for it. */
import { dirname } from "node:path";
import { isInFolder } from "../config/agent-starts.js";
import type { Paths } from "../config/paths.js";
import type { SessionId } from "../model/ids.js";
import { SESSION_MARK } from "../model/session-mark.js";
import { systemClock } from "../observe/clock.js";
import { systemRandom } from "../observe/random.js";
import { adviseAgent } from "../plugins/adapters/describe-program.js";
import { readAgreement, type AgreedPlace } from "../plugins/adapters/agreed-files.js";
import { findProgramFile } from "../plugins/adapters/programs.js";
import type { ListedConsole } from "../wire/calls/agent-calls.js";
import type { HubCalls, ParamsFor, ResultOf } from "../wire/messages.js";
import type { AgentConsoles } from "../worker/integrations/mcp/console-tools.js";
import { openPty } from "../worker/pty/pty.js";
import { Screen } from "../worker/screen/screen.js";
import { findExecutable } from "../worker/process/executable.js";
import { findLaunched } from "./prepare-console.js";
import { OwnSessions, type StartedRun } from "./own-sessions.js";

export interface AgentConsolesOptions {
  readonly call: <M extends keyof HubCalls>(
    method: M,
    params: ParamsFor<HubCalls, M>,
  ) => Promise<ResultOf<HubCalls, M>>;
  /** The agent's own. */
  readonly sessionId: SessionId;
  readonly cwd: string;
  readonly paths: ProgramPlace;
}

type ProgramPlace = AgreedPlace & Pick<Paths, "adaptersDir">;

const SIZE = { cols: 120, rows: 40 };
const SHOWN_MAX = 500;

export function createAgentConsoles({ call, sessionId, cwd, paths }: AgentConsolesOptions): AgentConsoles {
  const list = async (): Promise<readonly ListedConsole[]> => (await call("agent.consoles", {})).consoles;
  const admit = (program: string, args: readonly string[]) =>
    call("agent.start", { program, hasArguments: args.length > 0 });
  const own = new OwnSessions({
    clock: systemClock,
    list,
    admit,
    open: async (label, command) => {
      await refuseOwnExecutable(command[0] ?? "", cwd, paths);
      return openRun({ cwd, sessionId }, label, command);
    },
    createLabel: () => `agent-${systemRandom.uuid().slice(0, 8)}`,
    findRestarts: async (program) => (await findProgramFile(program, paths)).program.lifecycle.restart_on,
  });
  return {
    list,
    findHints: (name) => findHints(name, paths).catch(() => null),
    run: (consoleId, run) => {
      own.noteUse(consoleId);
      return call("agent.run", { consoleId, ...run });
    },
    act: (consoleId, act) => {
      own.noteUse(consoleId);
      return call("agent.act", { consoleId, ...act });
    },
    mustAskToStart: async (program, args) => {
      const { ask } = await admit(program, args);
      await refuseOwnExecutable(program, cwd, paths);
      return ask;
    },
    start: (program, args) => own.start(program, args),
    findSuccessor: (consoleId) => own.findSuccessor(consoleId),
    end: () => own.end(),
  };
}

/** No hints from a file that the user has not agreed to: another agent may have written it. */
async function findHints(name: string, place: ProgramPlace): Promise<string | null> {
  const { program, own } = await findProgramFile(name, place);
  return own && readAgreement(own, place) !== "agreed" ? null : adviseAgent(program);
}

/** Under a listed name PATH may find a file that the agent has written. A listed path is meant as it stands. */
async function refuseOwnExecutable(name: string, cwd: string, place: ProgramPlace): Promise<void> {
  if (name.includes("/")) return;
  const { program } = await findProgramFile(name, place);
  const launched = findLaunched(name, program, { environment: process.env, cwd });
  const file = findExecutable(launched, { path: process.env["PATH"], cwd });
  if (!isInFolder(cwd, file) && !isInFolder(cwd, dirname(file))) return;
  throw new Error(
    `nothing was started: ${name} would start ${file}, which is in your own folder. Your person can list it by its path (agents.may_start)`,
  );
}

/** In a terminal of its own, as a person would; it ends with this process. */
function openRun(
  { cwd, sessionId }: Pick<AgentConsolesOptions, "cwd" | "sessionId">,
  label: string,
  command: readonly string[],
): StartedRun {
  const program = [process.execPath, process.argv[1] ?? ""];
  const terminal = openPty({
    command: [...program, "run", "--console-for-agents", "--label", label, ...command],
    env: markEnvironment(sessionId),
    cwd,
    size: SIZE,
    clock: systemClock,
  });
  const screen = new Screen(SIZE);
  screen.onReply((answer) => void terminal.write(Buffer.from(answer)));
  terminal.onData((chunk) => screen.write(chunk));
  return {
    get alive() {
      return terminal.alive;
    },
    exited: terminal.exited,
    kill: (signal) => terminal.kill(signal),
    describeScreen: () => {
      const shown = screen.view().lines.map(({ text }) => text.trim());
      return shown
        .filter((line) => line !== "")
        .join(" ")
        .slice(0, SHOWN_MAX);
    },
  };
}

/** A session started here is inside the agent's own session, so it starts no hub, which that one would not accept. */
function markEnvironment(sessionId: SessionId): Record<string, string> {
  const entries = Object.entries(process.env);
  const own = entries.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Object.fromEntries(own), [SESSION_MARK]: sessionId };
}
