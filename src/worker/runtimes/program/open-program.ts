import type { Clock } from "../../../model/clock.js";
import { asId, type SessionId } from "../../../model/ids.js";
import type { ReadProgram } from "../../adapter-format/program/read-program.js";
import { createChildEnvironment, type Environment } from "../../process/child-environment.js";
import type { Terminal } from "../../process/terminal.js";
import { TtyFacts } from "../../process/facts/tty-facts.js";
import { openPty } from "../../pty/pty.js";
import { Screen } from "../../screen/screen.js";
import { prepareLaunch, removeStaleFiles } from "./launch.js";
import type { ProgramPort } from "./program-port.js";
import { ProgramSession } from "./program-session.js";

export interface OpenProgramOptions {
  readonly read: ReadProgram;
  readonly typed: string | null;
  readonly args: readonly string[];
  readonly environment: Environment;
  readonly cwd: string;
  readonly size: { readonly cols: number; readonly rows: number };
  readonly clock: Clock;
  readonly createGuid: () => string;
  readonly folder: string;
  readonly person?: Pick<ProgramPort, "onTyped" | "typedAt">;
}

const NOBODY: Pick<ProgramPort, "onTyped" | "typedAt"> = {
  onTyped: () => undefined,
  typedAt: () => -Infinity,
};

export interface OpenedProgram {
  readonly session: ProgramSession;
  readonly terminal: Terminal;
  readonly screen: Screen;
}

/** Errors: ATB_TOOL_NOT_FOUND, ATB_TOOL_START_FAILED. */
export function openProgram(options: OpenProgramOptions): OpenedProgram {
  const { read, cwd, size, clock, createGuid, folder } = options;
  removeStaleFiles(read.program, folder, clock.now());
  const launch = prepareLaunch(read, { ...options, guid: createGuid(), nonce: createGuid() });
  const env = createChildEnvironment(launch.environment, asId<SessionId>(createGuid()));
  const terminal = openPty({ command: launch.command, env, cwd, size, clock });
  const screen = new Screen(size);
  const facts = new TtyFacts(terminal);
  // Nothing else answers the queries that the program sends to its terminal.
  let reportedAt = -Infinity;
  screen.onReply((answer) => {
    reportedAt = clock.monotonic();
    void terminal.write(Buffer.from(answer));
  });
  const session = new ProgramSession({
    read,
    launch,
    clock,
    createGuid,
    folder,
    port: {
      terminal,
      onData: (listener) => void terminal.onData(listener),
      ...(options.person ?? NOBODY),
      reportedAt: () => reportedAt,
      noteSent: () => undefined,
      turn: (work) => work(),
      hold: () => undefined,
      release: () => undefined,
      mute: () => undefined,
      size: () => screen.view(),
      foregroundGroup: () => facts.findForegroundGroup() ?? null,
      findReaders: () => facts.findReaders(),
      readTty: () => facts.read(),
    },
  });
  terminal.onData((chunk) => screen.write(chunk));
  return { session, terminal, screen };
}
