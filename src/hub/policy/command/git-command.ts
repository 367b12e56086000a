/** Options of git itself that take the next word. */
const VALUED: ReadonlySet<string> = new Set([
  ...["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix"],
]);

export interface GitCommand {
  /** Null: only known when it runs. Undefined: none. */
  readonly command: string | null | undefined;
  readonly rest: readonly (string | null)[];
}

export function readGitCommand(args: readonly (string | null)[]): GitCommand {
  const start = args.findIndex(
    (word, at) => word?.startsWith("-") !== true && !VALUED.has(args[at - 1] ?? ""),
  );
  return start < 0 ? { command: undefined, rest: [] } : { command: args[start], rest: args.slice(start + 1) };
}
