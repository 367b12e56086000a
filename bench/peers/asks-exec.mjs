// An agent without an interface, in lines of JSON: asks whether it may run a command that names the instant (µs, monotonic), or takes
// that back, whenever it is told to on the socket ASKS_AT.
import { createServer } from "node:net";
import { createInterface } from "node:readline";

if (process.argv.includes("--version")) {
  console.log("2.1.329");
  process.exit(0);
}
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
let asked = 0;

function ask() {
  asked += 1;
  const input = { command: `touch probe-${process.hrtime.bigint() / 1000n}` };
  const request = { subtype: "can_use_tool", tool_name: "Bash", input, permission_suggestions: [] };
  say({ type: "control_request", request_id: `ask-${asked}`, request });
}

const orders = createServer((socket) => {
  createInterface({ input: socket }).on("line", (order) => {
    if (order === "ask") ask();
    else say({ type: "control_cancel_request", request_id: `ask-${asked}` });
  });
});

// A task is never done: its turn is what asks.
createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { type, request_id: id } = JSON.parse(line);
    if (type === "control_request")
      say({ type: "control_response", response: { subtype: "success", request_id: id, response: {} } });
    else if (type === "user" && !orders.listening) orders.listen(process.env.ASKS_AT);
  })
  .on("close", () => process.exit(0));
