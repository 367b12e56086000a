#!/usr/bin/env node
/** argv → one command → exit code. */
import { nodeProblem } from "./cli/node-version.js";

// Libraries warn of what will go in later versions of Node. That is for us to read in our tests, not for people in their terminals.
process.noDeprecation = true;

// Checked before anything else is loaded: on an old Node a native addon would end the process with words that help nobody.
const problem = nodeProblem(process.versions.node);
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 3;
} else {
  const isRun = process.argv[2] === "run";
  const program = isRun ? import("./cli/run-program.js") : import("./cli/program.js");
  void program.then(({ runCli }) => runCli(process.argv));
}
