/** Where the paths of a call lie, as compared with the directories of a rule: by their words and with links followed. */
import { isInside, toAbsolute } from "../paths.js";
import type { PolicySession } from "../subject.js";

export interface Place {
  readonly named: string;
  readonly real: string;
}

interface PlaceFacts {
  readonly home: string;
  readonly subject: { readonly session: PolicySession };
  readonly locate: (path: string) => Place;
}

export function locateRoots(entries: readonly string[], facts: PlaceFacts): readonly Place[] {
  return entries.map((entry) => {
    return facts.locate(toAbsolute(entry, facts.subject.session.cwd, facts.home));
  });
}

export function isWhollyInside(path: string, roots: readonly Place[], { locate }: PlaceFacts): boolean {
  const { named, real } = locate(path);
  return roots.some((root) => isInside(named, root.named)) && roots.some((root) => isInside(real, root.real));
}

export function isPartlyInside(path: string, roots: readonly Place[], { locate }: PlaceFacts): boolean {
  const { named, real } = locate(path);
  return roots.some((root) => isInside(named, root.named) || isInside(real, root.real));
}

/** Whether one of the directories lies below the path: a change of the path may reach it. */
export function isAbove(path: string, roots: readonly Place[], { locate }: PlaceFacts): boolean {
  const { named, real } = locate(path);
  return roots.some((root) => isInside(root.named, named) || isInside(root.real, real));
}

/** Whether a text, such as code, has the path in it, also by the sign or the variable for the home directory. */
export function mentionsPath(text: string, path: string, home: string): boolean {
  if (path.length <= 1) return false;
  if (text.includes(path)) return true;
  if (home.length <= 1 || path === home || !isInside(path, home)) return false;
  const rest = path.slice(home.length);
  return ["~", "$HOME", "${HOME}"].some((sign) => text.includes(`${sign}${rest}`));
}
