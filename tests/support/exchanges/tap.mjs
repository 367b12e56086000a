// Stands between us and an agent: `node tap.mjs FILE COMMAND…` writes each line of theirs and ours into FILE, in the order in which
// they passed, and changes none.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

const [, , file, command, ...args] = process.argv;
const agent = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });

const pass = (by, from, to) => {
  let begun = "";
  from.setEncoding("utf8");
  from.on("data", (text) => {
    const lines = (begun + text).split("\n");
    begun = lines.pop();
    // Written down before it is passed on: an answer never stands before its question.
    for (const line of lines) appendFileSync(file, `${JSON.stringify({ by, line })}\n`);
    if (!to.write(text)) from.pause();
  });
  to.on("drain", () => from.resume());
  from.on("end", () => to.end());
  to.on("error", () => undefined);
};

pass("us", process.stdin, agent.stdin);
pass("agent", agent.stdout, process.stdout);
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => agent.kill(signal));
agent.on("exit", (code) => (process.exitCode = code ?? 1));
agent.on("close", () => process.exit());
