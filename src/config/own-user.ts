/** The user that this process acts as. */
import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";

/** A user without an account (in a container) still has a number; `userInfo` would throw. */
export function getOwnUid(): number {
  return process.geteuid?.() ?? userInfo().uid;
}

/**
 * The user's home directory, or null if there is none. HOME may be missing, empty or relative, as under some service managers;
 * then the account's home is used.
 */
export function findOwnHome(): string | null {
  for (const look of [homedir, () => userInfo().homedir]) {
    try {
      const home = look();
      if (isAbsolute(home)) return home;
    } catch {
      // No account: both throw if HOME does not help either.
    }
  }
  return null;
}
