/** The opencode that a run has started, and the server in its interface: as the system tells of them (Linux). */
import { readFileSync } from "node:fs";
import { SocketHolder } from "../../../src/worker/loopback/socket-holder.js";
import type { Run } from "../rig/run.js";

/** The tool's own server, for whoever has its password. */
export function findServer(
  tool: number,
): (method: string, path: string, cwd: string, body: object) => Promise<unknown> {
  const login = ["USERNAME", "PASSWORD"]
    .map((name) => readVariable(tool, `OPENCODE_SERVER_${name}`))
    .join(":");
  const headers = {
    authorization: `Basic ${Buffer.from(login).toString("base64")}`,
    "content-type": "application/json",
  };
  return async (method, path, cwd, body) => {
    const url = `http://127.0.0.1:${await findPort(tool)}${path}?directory=${encodeURIComponent(cwd)}`;
    const text = await (await fetch(url, { method, headers, body: JSON.stringify(body) })).text();
    return text === "" ? null : (JSON.parse(text) as unknown);
  };
}

export async function findPort(tool: number): Promise<number> {
  const [port] = await new SocketHolder().findPorts(tool, "terminal");
  if (port === undefined) throw new Error("opencode listens nowhere");
  return port;
}

/** The tool of a run: the only opencode below it. */
export function findTool(run: Run): number {
  const below = processesBelow(run.terminal.pid);
  const tool = below.find((pid) => /^[^\0]*opencode\0--hostname/.test(procText(pid, "cmdline")));
  if (tool === undefined) throw new Error("opencode does not run");
  return tool;
}

export function processesBelow(pid: number): number[] {
  const children = procText(pid, `task/${pid}/children`).split(" ").filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...processesBelow(child)]);
}

export function procText(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

export function readVariable(pid: number, name: string): string {
  const line = procText(pid, "environ")
    .split("\0")
    .find((each) => each.startsWith(`${name}=`));
  return line?.slice(name.length + 1) ?? "";
}
