import type { Command } from "commander";
import { registerAdapter } from "./commands/adapter.js";
import { registerAnswer } from "./commands/answer.js";
import { registerAudit } from "./commands/audit.js";
import { registerChannel } from "./setup/channel.js";
import { registerPeople } from "./setup/people.js";
import { registerSetup } from "./setup/setup.js";
import { buildProgram, runCommandLine, type Register } from "./command-line.js";
import { registerDb } from "./commands/db.js";
import { registerDemo } from "./commands/demo.js";
import { registerDoctor } from "./commands/doctor.js";
import { registerExec } from "./commands/exec.js";
import { registerHub } from "./commands/hub.js";
import { registerLab } from "./commands/lab.js";
import { registerMcp } from "./commands/mcp.js";
import { registerDelegate } from "./policy/delegate.js";
import { registerGrants } from "./policy/grants.js";
import { registerMode } from "./policy/mode.js";
import { registerPause } from "./commands/pause.js";
import { registerPolicy } from "./policy/policy.js";
import { registerPrompts } from "./commands/prompts.js";
import { registerRun } from "./commands/run.js";
import { registerSend } from "./commands/send.js";
import { registerSessions } from "./commands/sessions.js";
import { registerStatus } from "./status.js";
import { registerCompletion } from "./shell/completion.js";
import { registerVersion } from "./version.js";
import { registerWatch } from "./watch.js";

const COMMANDS: readonly Register[] = [
  (program) =>
    registerRun(program, {
      runTool: async (options) => (await import("../app/run/run-tool.js")).runTool(options),
      runAgent: async (options) => (await import("../app/run/run-agent.js")).runAgent(options),
    }),
  registerExec,
  registerSetup,
  registerWatch,
  registerPrompts,
  registerAnswer,
  registerPause,
  registerPolicy,
  registerMode,
  registerGrants,
  registerDelegate,
  registerSessions,
  registerSend,
  registerStatus,
  registerDoctor,
  registerMcp,
  registerChannel,
  registerPeople,
  registerHub,
  registerAudit,
  registerDb,
  registerAdapter,
  registerLab,
  registerDemo,
  registerCompletion,
  registerVersion,
];

export function describeCli(): Command {
  return buildProgram(COMMANDS);
}

export function runCli(argv: readonly string[]): Promise<void> {
  return runCommandLine(argv, COMMANDS);
}
