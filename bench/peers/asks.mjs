// An agent that asks whenever `n` is typed, and has its answer with any other key: draws claude's permission dialog and, told by
// `--settings` whom to call, tells the same to its hook. The command that it asks about is the instant (µs, monotonic).
import { readFileSync } from "node:fs";
import { request } from "node:http";

const args = process.argv.slice(2);
if (args.includes("--version")) {
  console.log("2.1.329");
  process.exit(0);
}
const file = args[args.indexOf("--settings") + 1];
const hook = args.includes("--settings")
  ? JSON.parse(readFileSync(file, "utf8")).hooks.PermissionRequest[0].hooks[0]
  : null;
const RULE = "─".repeat(60);
const DOTS = "╌".repeat(60);
let call = null;

function draw(command) {
  const rows = [RULE, " Bash command", DOTS, ` ${command}`, DOTS, " Do you want to proceed?"];
  const choices = [" ❯ 1. Yes", "   2. No", "", " Esc to cancel"];
  process.stdout.write(`\x1b[2J\x1b[H${[...rows, ...choices].join("\r\n")}\x1b[${rows.length + 1};2H`);
}

function tell(command) {
  const body = JSON.stringify({
    hook_event_name: "PermissionRequest",
    tool_name: "Bash",
    tool_input: { command },
  });
  const headers = { ...hook.headers, "content-length": Buffer.byteLength(body) };
  call = request(hook.url, { method: "POST", headers });
  call.on("error", () => undefined);
  call.end(body);
}

process.stdin.setRawMode(true);
process.stdout.write("-READY-\r\n❯\u00a0");
process.stdin.on("data", (keys) => {
  call?.destroy();
  call = null;
  if (String(keys) !== "n") return void process.stdout.write("\x1b[2J\x1b[H❯\u00a0");
  const command = `touch probe-${process.hrtime.bigint() / 1000n}`;
  if (hook) tell(command);
  draw(command);
});
