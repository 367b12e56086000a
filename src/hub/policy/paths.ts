/** Paths as rules compare them: by whole names, with `~` replaced. Pure. */
import { isAbsolute, join, normalize, sep } from "node:path";

/** Keeps `..` as written: behind a symbolic link it leads elsewhere than the words say. A relative path counts from `base`. */
export function joinPath(path: string, base: string, home: string): string {
  const expanded = path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path;
  return isAbsolute(expanded) ? expanded : `${base}${sep}${expanded}`;
}

/** The path by its words alone: without `.`, `..` and a separator at its end. */
export function normalizePath(path: string): string {
  const full = normalize(path);
  return full.length > 1 && full.endsWith(sep) ? full.slice(0, -1) : full;
}

export function toAbsolute(path: string, base: string, home: string): string {
  return normalizePath(joinPath(path, base, home));
}

export function isInside(path: string, root: string): boolean {
  return path === root || root === sep || (path.startsWith(root) && path[root.length] === sep);
}
