/** One option of a tool's command line, found and replaced without touching any other argument. Pure. */

export interface OptionUse {
  /** Its value; the last one counts, as tools do it. Null: it is not given. */
  readonly value: string | null;
  /** The arguments without it. */
  readonly others: readonly string[];
}

/** Null when the option stands there without a value: the tool will complain, and is to. Behind `--` nothing is an option. */
export function takeOption(args: readonly string[], option: string): OptionUse | null {
  const others: string[] = [];
  let value: string | null = null;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") return { value, others: [...others, ...args.slice(at)] };
    if (arg === option) {
      const next = args[++at];
      if (next === undefined || next === "--") return null;
      value = next;
    } else if (arg.startsWith(`${option}=`)) value = arg.slice(option.length + 1);
    else others.push(arg);
  }
  return { value, others };
}
