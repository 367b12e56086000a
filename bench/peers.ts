/** What we are measured against: each runs one command in a terminal of its own making. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface ComparedTool {
  readonly name: string;
  /** The command that runs `inner` under this peer. */
  readonly wrap: (inner: readonly string[]) => readonly string[];
  /** It draws a screen of its own, so that output it never had time to draw is missing. */
  readonly redraws?: true;
}

const MAIN = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const LOOP = fileURLToPath(new URL("peers/node-pty-loop.mjs", import.meta.url));
const TMUX = ["tmux", "-L", "atlasbridge-bench", "-f", "/dev/null"];

export const BARE: ComparedTool = { name: "bare", wrap: (inner) => inner };
export const NODE_PTY: ComparedTool = {
  name: "node-pty loop",
  wrap: (inner) => [process.execPath, LOOP, ...inner],
};
export const OURS: ComparedTool = {
  name: "atlasbridge",
  wrap: (inner) => [process.execPath, MAIN, "run", "--quiet", "--", ...inner],
};
export const EXEC: ComparedTool = {
  name: "atlasbridge exec",
  wrap: (inner) => [process.execPath, MAIN, "exec", ...inner, "--prompt", "Ask me."],
};
export const UNRELAYED: ComparedTool = {
  name: "atlasbridge --no-relay",
  wrap: (inner) => [process.execPath, MAIN, "run", "--no-relay", "--quiet", "--", ...inner],
};

const SCRIPT: ComparedTool = {
  name: "script",
  wrap: (inner) => ["script", "-qc", quoted(inner), "/dev/null"],
};
const TMUX_PEER: ComparedTool = {
  name: "tmux",
  wrap: (inner) => [...TMUX, "new-session", quoted(inner)],
  redraws: true,
};

/** All that can run here; says what cannot. */
export function peers(): readonly ComparedTool[] {
  return [BARE, ...installed("script", SCRIPT), ...installed("tmux", TMUX_PEER), NODE_PTY, OURS];
}

/** Ends what a peer leaves behind on purpose: tmux keeps its server. */
export function endPeers(): void {
  spawnSync(TMUX[0] ?? "", [...TMUX.slice(1), "kill-server"], { stdio: "ignore" });
}

export function hub(command: "start" | "stop", env: Readonly<Record<string, string>>): void {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, "hub", command], { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`hub ${command}: ${stderr}`);
}

export function countSessions(env: Readonly<Record<string, string>>): number {
  const { stdout } = spawnSync(process.execPath, [MAIN, "sessions", "--json"], { env, encoding: "utf8" });
  return (JSON.parse(stdout) as { data: unknown[] }).data.length;
}

function installed(program: string, peer: ComparedTool): ComparedTool[] {
  if (spawnSync("sh", ["-c", `command -v ${program}`]).status === 0) return [peer];
  console.log(`${program} is not installed here: not measured`);
  return [];
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ");
}
