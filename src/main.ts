#!/usr/bin/env node
/** argv → one command → exit code. */
import { checkNodeVersion } from "./cli/node-version.js";

// Libraries warn of what will go in later versions of Node. That is for us to read in our tests, not for people in their terminals.
process.noDeprecation = true;

// Node would open a debugger on this signal, to any program of this user, which could then make the hub approve, or `watch` answer.
process.on("SIGUSR1", () => undefined);

// Checked before anything else is loaded: on an old Node a native addon would end the process with words that help nobody.
const problem = checkNodeVersion(process.versions.node);
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 3;
} else {
  void loadProgram(process.argv.slice(2)).then(({ runCli }) => runCli(process.argv));
}

interface Program {
  readonly runCli: (argv: readonly string[]) => Promise<void>;
}

/** Two commands run between a person and their tool, and load no code of the others. */
function loadProgram([command, ...args]: readonly string[]): Promise<Program> {
  // An agent that is talked to needs much that a tool in a terminal does not.
  if (command === "run" && !args.some((arg) => arg.startsWith("--runtime")))
    return import("./cli/run-program.js");
  return command === "hook" ? import("./cli/hook-program.js") : import("./cli/program.js");
}
