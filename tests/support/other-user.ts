/** A user that is not the one who runs the tests. Only root can be another one. */
import { spawnSync } from "node:child_process";
import { MAIN } from "./hub-home.js";

/** nobody, on Linux; any user that is not us will do. */
export const OTHER_UID = 65534;

/** Why a test that needs another user cannot run here; null when it can. */
export function noOtherUser(): string | null {
  if (process.getuid?.() !== 0) return "needs root, to be another user";
  const seen = spawnSync(process.execPath, [MAIN, "--version"], { uid: OTHER_UID, gid: OTHER_UID });
  return seen.status === 0 ? null : "another user may not read this clone";
}
