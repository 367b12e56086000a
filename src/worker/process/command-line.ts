/** Reads a tool's command line as the tool does: which arguments are options, values of options, or neither. Pure. */

/** Names of options (`-n`, `--name`), grouped by the values that follow them; all other options have none. */
export interface OptionShapes {
  /** The next argument, whatever it looks like. */
  readonly one: readonly string[];
  /** The next argument, and all following ones that do not look like an option. */
  readonly several: readonly string[];
  /** The next argument if it does not look like an option. */
  readonly optional: readonly string[];
}

export type CommandLinePart =
  | {
      readonly kind: "option";
      readonly name: string;
      readonly values: readonly string[];
      readonly args: readonly string[];
    }
  | { readonly kind: "word"; readonly args: readonly [string] }
  /** All arguments after `--`, none of which is an option. */
  | { readonly kind: "rest"; readonly args: readonly string[] };

/** The concatenated `args` of the parts are the arguments. For several flags in one word (`-cp`) the last one holds it. */
export function readCommandLine(args: readonly string[], shapes: OptionShapes): CommandLinePart[] {
  const parts: CommandLinePart[] = [];
  for (let index = 0; index < args.length;) {
    const arg = args[index] ?? "";
    if (arg === "--") return [...parts, { kind: "rest", args: args.slice(index) }];
    const { flags, option } = isOption(arg) ? readNames(arg, shapes) : NO_NAMES;
    if (option === null) parts.push({ kind: "word", args: [arg] });
    else {
      const following = option.value === null ? readValues(option.name, args.slice(index + 1), shapes) : [];
      const values = option.value === null ? following : [option.value];
      parts.push(...flags.map((name): CommandLinePart => ({ kind: "option", name, values: [], args: [] })));
      parts.push({ kind: "option", name: option.name, values, args: [arg, ...following] });
      index += following.length;
    }
    index++;
  }
  return parts;
}

export interface ExtractedOption {
  /** The value; the last one counts, as in the tools. Null: the option is not given. */
  readonly value: string | null;
  readonly others: readonly string[];
}

/** Finds an option with a value, and the arguments without it. Null when the option has no value: the tool will complain. */
export function extractOption(parts: readonly CommandLinePart[], option: string): ExtractedOption | null {
  const matches = (part: CommandLinePart): boolean => part.kind === "option" && part.name === option;
  const values = parts.filter(matches).map((part) => (part.kind === "option" ? part.values[0] : undefined));
  if (values.includes(undefined)) return null;
  return {
    value: values.at(-1) ?? null,
    others: parts.filter((part) => !matches(part)).flatMap(({ args }) => args),
  };
}

interface OptionNames {
  /** Flags without a value that stand before it in the same word. */
  readonly flags: readonly string[];
  readonly option: { readonly name: string; readonly value: string | null } | null;
}

const NO_NAMES: OptionNames = { flags: [], option: null };

/** Understands `--name`, `--name=value`, `-n`, `-nvalue`, `-abn`, `-abnvalue`. */
function readNames(arg: string, shapes: OptionShapes): OptionNames {
  if (arg.startsWith("--")) {
    const end = arg.indexOf("=");
    if (end < 0) return { flags: [], option: { name: arg, value: null } };
    return { flags: [], option: { name: arg.slice(0, end), value: arg.slice(end + 1) } };
  }
  const letters = [...arg.slice(1)].map((letter) => `-${letter}`);
  const firstWithValue = letters.findIndex((name) => findShape(name, shapes) !== null);
  const last = firstWithValue < 0 ? letters.length - 1 : firstWithValue;
  const value = letters
    .slice(last + 1)
    .map((name) => name.slice(1))
    .join("");
  return {
    flags: letters.slice(0, last),
    option: { name: letters[last] ?? arg, value: value === "" ? null : value },
  };
}

function readValues(name: string, following: readonly string[], shapes: OptionShapes): readonly string[] {
  const next = following.findIndex(isOption);
  const plain = next < 0 ? following.length : next;
  switch (findShape(name, shapes)) {
    case "one":
      return following.slice(0, 1);
    case "several":
      return following.slice(0, Math.max(plain, 1));
    case "optional":
      return following.slice(0, Math.min(plain, 1));
    case null:
      return [];
  }
}

function findShape(name: string, shapes: OptionShapes): keyof OptionShapes | null {
  return (["one", "several", "optional"] as const).find((shape) => shapes[shape].includes(name)) ?? null;
}

/** A single `-` means standard input. */
function isOption(arg: string): boolean {
  return arg.startsWith("-") && arg.length > 1;
}
