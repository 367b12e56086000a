/** Every command by name, each loaded when it is used. */
import { registerAdapter } from "./adapter.js";
import { registerAnswer } from "./answer.js";
import { registerAudit } from "./audit.js";
import { registerChannel } from "./channel.js";
import { runCommandLine, type Register } from "./command-line.js";
import { registerDb } from "./db.js";
import { registerDemo } from "./demo.js";
import { registerDoctor } from "./doctor.js";
import { registerExec } from "./exec.js";
import { registerHub } from "./hub.js";
import { registerLab } from "./lab.js";
import { registerMcp } from "./mcp.js";
import { registerPause } from "./pause.js";
import { registerPrompts } from "./prompts.js";
import { registerRun } from "./run.js";
import { registerSessions } from "./sessions.js";
import { registerStatus } from "./status.js";
import { registerWatch } from "./watch.js";

/** In the order in which `--help` lists them. */
const COMMANDS: readonly Register[] = [
  (program) =>
    registerRun(program, async (options) => (await import("../app/run/run-agent.js")).runAgent(options)),
  registerExec,
  registerWatch,
  registerPrompts,
  registerAnswer,
  registerPause,
  registerSessions,
  registerStatus,
  registerDoctor,
  registerMcp,
  registerChannel,
  registerHub,
  registerAudit,
  registerDb,
  registerAdapter,
  registerLab,
  registerDemo,
];

export function runCli(argv: readonly string[]): Promise<void> {
  return runCommandLine(argv, COMMANDS);
}
