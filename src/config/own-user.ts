/** Who this process acts as. */
import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";

/** A user without an account (in a container, say) has a number all the same; `userInfo` would throw there. */
export function ownUid(): number {
  return process.geteuid?.() ?? userInfo().uid;
}

/**
 * The home of this user, or null where there is none. HOME may be missing, empty or relative, as under some service managers; the
 * account's own home is what was meant.
 */
export function ownHome(): string | null {
  for (const look of [homedir, () => userInfo().homedir]) {
    try {
      const home = look();
      if (isAbsolute(home)) return home;
    } catch {
      // No account: both throw where HOME does not help either.
    }
  }
  return null;
}
