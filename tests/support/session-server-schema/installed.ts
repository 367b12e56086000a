/** The excerpt of the opencode that the real suite runs. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { opencode } from "../real-cli/opencode.js";
import { makeWorkspace } from "../real-cli/workspace.js";
import { excerptFrom, type SessionServerExcerpt } from "./excerpt.js";

/** Errors: it cannot be had here. */
export async function installedExcerpt(): Promise<SessionServerExcerpt> {
  const installed = await opencode.install();
  if (!installed.ok) throw new Error(installed.reason);
  const workspace = makeWorkspace();
  const setting = { modules: installed.modules, modelUrl: "http://127.0.0.1:9", workspace };
  const { file, args, env, cwd } = opencode.prepare(setting, {
    args: ["serve", "--hostname", "127.0.0.1", "--port", "0"],
  });
  const server = spawn(file, args, { env, cwd, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(server, "close");
  try {
    return excerptFrom(await readDocument(server.stdout), opencode.version);
  } finally {
    server.kill("SIGKILL");
    await ended;
    await workspace.dispose();
  }
}

async function readDocument(output: NodeJS.ReadableStream): Promise<unknown> {
  for await (const line of createInterface({ input: output })) {
    const [, address] = /\b(http:\/\/127\.0\.0\.1:\d+)\b/.exec(line) ?? [];
    if (address === undefined) continue;
    const answer = await fetch(`${address}/doc`);
    return answer.json();
  }
  throw new Error("it ended before it listened");
}
