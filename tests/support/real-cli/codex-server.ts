/** The server that codex leaves in the background: what it is made of, and its end. Only of one home, which is a test's own. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { promisify } from "node:util";
import { isAlive } from "../rig/processes.js";
import { eventually } from "../hub-home.js";
import type { ToolCommand } from "./claude.js";

interface Process {
  readonly pid: number;
  readonly command: string;
}

/** In one word each, in order: `app-server`, `pid-update-loop`, `codex-code-mode-host`. */
export function serverParts({ env }: ToolCommand): string[] {
  return partsIn(env["HOME"] ?? "")
    .map(({ command }) => readName(command))
    .sort();
}

/** Asks it to end, and ends what it leaves then. */
export async function endServer({ file, cwd, env }: ToolCommand): Promise<void> {
  const stop = ["app-server", "daemon", "stop"];
  await promisify(execFile)(file, stop, { cwd, env, timeout: 15_000 }).catch(() => undefined);
  const left = partsIn(env["HOME"] ?? "");
  for (const { pid } of left) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  await eventually(() => left.every(({ pid }) => !isAlive(pid)));
}

/** Its programs were copied into the home: nothing else runs from there. */
function partsIn(home: string): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), command: readCommand(name) }))
    .filter(({ command }) => home !== "" && command.startsWith(`${home}/`));
}

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return "";
  }
}

function readName(command: string): string {
  const [file = "", ...args] = command.split(" ");
  const known = ["pid-update-loop", "app-server"].find((word) => args.includes(word));
  return known ?? basename(file);
}
