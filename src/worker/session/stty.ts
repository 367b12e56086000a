/** What Node cannot do to the user's terminal: `stty` acts on its standard input, which is ours. Where it is missing, nothing happens. */
import { spawn } from "node:child_process";

/** A change that is under way: `done` resolves also when it could not be done. */
export interface TerminalChange {
  readonly done: Promise<void>;
  stop(): void;
}

/** Output as it is: without this a bare line feed becomes two characters. */
export function plainOutput(): TerminalChange {
  const child = spawn("stty", ["-opost"], { stdio: ["inherit", "ignore", "ignore"] });
  const done = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  return { done, stop: () => void child.kill("SIGKILL") };
}

/** All settings in the form that `stty` takes back; null when stdin is no terminal. To be asked before the terminal is raw. */
export function terminalSettings(): Promise<string | null> {
  if (!process.stdin.isTTY) return Promise.resolve(null);
  const child = spawn("stty", ["-g"], { stdio: ["inherit", "pipe", "ignore"] });
  return new Promise((resolve) => {
    let text = "";
    child.stdout.setEncoding("latin1").on("data", (part: string) => (text += part));
    child.once("close", (code) => resolve(code === 0 ? text.trim() : null));
    child.once("error", () => resolve(null));
  });
}
