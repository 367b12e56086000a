// The least that a wrapper on node-pty can do: bytes from the terminal to stdout, bytes from stdin to the terminal.
import { spawn } from "node-pty";

const [file, ...args] = process.argv.slice(2);
const { columns: cols = 80, rows = 24 } = process.stdout;
const pty = spawn(file, args, { cols, rows, cwd: process.cwd(), env: process.env, encoding: null });
pty.onData((data) => process.stdout.write(data));
if (process.stdin.isTTY) process.stdin.setRawMode(true);
process.stdin.on("data", (data) => pty.write(data));
pty.onExit(({ exitCode }) => process.exit(exitCode));
