/** Programs that the matrix starts: their output shown, or kept for the message of a failure. */
import { execFile, spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

export interface CommandOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Resolves with standard output. Rejects with the last lines of what it said. */
export function quietly(file: string, args: readonly string[], options: CommandOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file, [...args], { ...options, maxBuffer: OUTPUT_BYTES_MAX }, (error, stdout, stderr) => {
      if (error)
        reject(new Error(`${file} ${args.join(" ")}: ${lastLines(stderr || stdout || error.message)}`));
      else resolve(stdout);
    });
  });
}

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-5).join("\n  ");
}

/** Shows its output as it comes. Resolves with its exit code; a signal counts as 1. */
export function openly(file: string, args: readonly string[], options: CommandOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...args], { ...options, stdio: ["ignore", "inherit", "inherit"] });
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}

/** Our environment, in which `node` is this one. */
export function makeEnvironment(node: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env["PATH"] ?? ""}`, ...more };
}

export async function npmScript(): Promise<string> {
  const running = process.env["npm_execpath"];
  if (running?.endsWith(".js")) return running;
  const found = await quietly("sh", ["-c", "command -v npm"], { cwd: "/" });
  return realpathSync(found.trim());
}

export function locateVitest(root: string): string {
  return join(root, "node_modules", "vitest", "vitest.mjs");
}
