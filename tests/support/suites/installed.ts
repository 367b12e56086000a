/** Which versions of real CLIs a suite installed: told by its worker through a file, read by the reporter after the suite. */
import { appendFileSync, existsSync, rmSync, readFileSync } from "node:fs";

/** Names the file; workers get it from the process that starts them. Without it nobody asks. */
const FILE = "ATB_REAL_INSTALLED";

export function tellInstalledIn(file: string): void {
  process.env[FILE] = file;
}

export function tellInstalled(name: string, version: string): void {
  const file = process.env[FILE];
  if (file !== undefined) appendFileSync(file, `${name} ${version}\n`);
}

/** What was told since this was last asked. */
export function takeInstalled(): string[] {
  const file = process.env[FILE];
  if (file === undefined || !existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  rmSync(file);
  return [...new Set(lines.filter((line) => line !== ""))].sort();
}
