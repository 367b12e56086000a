/** Warns when a tool will not prompt with the given arguments, and adds those that make it prompt. */
import type { AskingMode } from "../../adapter-format/compiled/compiled.js";

export interface StartingArguments {
  readonly args: readonly string[];
  readonly note: string | null;
  /** It asks little or nothing, and nobody chose that: the notice goes to the chats, too. */
  readonly asksLittle: boolean;
}

/** `args` are the user's own. With `ask` the adapter's asking arguments go before them, unless they choose a mode. */
export function buildStartingArguments(
  asking: AskingMode | null,
  args: readonly string[],
  ask: boolean,
): StartingArguments {
  if (!asking) return { args, note: null, asksLittle: false };
  const mode = findChosenMode(asking, args);
  if (ask && mode === "unchosen") return { args: [...asking.args, ...args], note: null, asksLittle: false };
  return { args, note: mode === "asks" ? null : asking.note, asksLittle: mode === "unchosen" };
}

function findChosenMode(asking: AskingMode, args: readonly string[]): "asks" | "never" | "unchosen" {
  if (args.some((arg) => asking.neverAsksFlags.includes(arg))) return "never";
  const value = asking.option === null ? null : readOptionValue(args, asking.option);
  if (value === null) return "unchosen";
  return asking.asks.includes(value) ? "asks" : "never";
}

/** Reads `--mode x` or `--mode=x`; the last one counts, as in the tools. */
function readOptionValue(args: readonly string[], option: string): string | null {
  const end = args.indexOf("--");
  const options = end < 0 ? args : args.slice(0, end);
  let value: string | null = null;
  options.forEach((arg, index) => {
    if (arg === option) value = options[index + 1] ?? null;
    else if (arg.startsWith(`${option}=`)) value = arg.slice(option.length + 1);
  });
  return value;
}
