// An agent that asks, for each task it is given, to run a command that names the instant (µs, monotonic).
import { createInterface } from "node:readline";

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
let turn = null;
let asked = 0;

function ask() {
  asked += 1;
  const command = `touch probe-${process.hrtime.bigint() / 1000n}`;
  const toolCall = { toolCallId: `call-${asked}`, title: command, kind: "execute", rawInput: { command } };
  say({
    id: `ask-${asked}`,
    method: "session/request_permission",
    params: { sessionId: "s", toolCall, options },
  });
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: 1 } });
  else if (method === "session/new") say({ id, result: { sessionId: "s" } });
  else if (method === "session/prompt") {
    turn = id;
    ask();
  } else if (method === undefined) say({ id: turn, result: { stopReason: "end_turn" } });
  else if (id !== undefined) say({ id, error: { code: -32601, message: "no such method" } });
});
