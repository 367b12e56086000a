/** What a rule says of a choice: the first entry whose pattern fits its label. */
import type { CompiledChoice, CompiledRule } from "./compiled.js";
import { matches } from "../pattern.js";

export function rowRule({ choices }: CompiledRule, label: string): CompiledChoice | undefined {
  return choices.find((choice) => matches(choice.label, label));
}
