/** Finds what a rule says about a choice: the first entry whose pattern matches its label. */
import type { CompiledChoice, CompiledRule } from "./compiled.js";
import { matches } from "../pattern.js";

export function findChoiceRule({ choices }: CompiledRule, label: string): CompiledChoice | undefined {
  return choices.find((choice) => matches(choice.label, label));
}
