/** What this machine cannot run is skipped, and says why: silence would pass for success. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const said = new Set<string>();

/** For `skipIf`: true where there is a reason, which is printed, once for each test file. */
export function skipped(reason: string | null): boolean {
  if (reason !== null && !said.has(reason)) console.warn(`skipped: ${reason}`);
  if (reason !== null) said.add(reason);
  return reason !== null;
}

/** Of what only Linux tells: who holds a connection, what a process waits for, how a terminal is set. */
export const notLinux: string | null =
  process.platform === "linux" ? null : `it asks Linux, and this is ${process.platform}`;

/** Nothing is denied to root. */
export const isRoot: string | null =
  process.getuid?.() === 0 ? "whoever runs this is root, to whom nothing is denied" : null;

/** Why a test that needs the command is skipped, or null. */
export function notInstalled(...names: readonly string[]): string | null {
  const path = (process.env["PATH"] ?? "").split(delimiter);
  const missing = names.filter((name) => !path.some((folder) => existsSync(join(folder, name))));
  return missing.length === 0 ? null : `not installed: ${missing.join(", ")}`;
}
