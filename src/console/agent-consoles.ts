/** Gives an agent the consoles of other sessions, and starts sessions for it. */
import type { Paths } from "../config/paths.js";
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
import { OwnSessions, type StartedRun } from "./own-sessions.js";

export interface AgentConsolesOptions {
  readonly call: <M extends keyof HubCalls>(
    method: M,
    params: ParamsFor<HubCalls, M>,
  ) => Promise<ResultOf<HubCalls, M>>;
  readonly cwd: string;
  readonly paths: ProgramPlace;
}

type ProgramPlace = AgreedPlace & Pick<Paths, "adaptersDir">;

const SIZE = { cols: 120, rows: 40 };
const SHOWN_MAX = 500;

export function createAgentConsoles({ call, cwd, paths }: AgentConsolesOptions): AgentConsoles {
  const list = async (): Promise<readonly ListedConsole[]> => (await call("agent.consoles", {})).consoles;
  const own = new OwnSessions({
    clock: systemClock,
    list,
    open: (label, command) => openRun(cwd, label, command),
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

/** In a terminal of its own, as a person would; it ends with this process. */
function openRun(cwd: string, label: string, command: readonly string[]): StartedRun {
  const program = [process.execPath, process.argv[1] ?? ""];
  const terminal = openPty({
    command: [...program, "run", "--console-for-agents", "--label", label, ...command],
    env: inheritEnvironment(),
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

/** A session started here is inside the agent's own session, too. */
function inheritEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
