/** What this machine cannot run is skipped, and says why: silence would pass for success. */
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
