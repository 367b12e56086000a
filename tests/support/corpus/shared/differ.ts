/** One list of situations for all tools; where a tool differs is data of its own. */
import type { Situation } from "../situation.js";

export type Shared = Omit<Situation, "name">;

/** By the name of a situation what is other in it; null: the tool has no such thing. */
export type Differences<Name extends string> = Readonly<Partial<Record<Name, Partial<Shared> | null>>>;

export function makeSituations<Name extends string, Tool>(
  list: Readonly<Record<Name, (tool: Tool) => Shared>>,
  tool: Tool,
  differs: Differences<Name>,
): readonly Situation[] {
  const names = Object.keys(list) as Name[];
  return names.flatMap((name) => {
    const other = differs[name];
    return other === null ? [] : [{ name, ...list[name](tool), ...other }];
  });
}
