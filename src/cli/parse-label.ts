import { InvalidArgumentError } from "commander";
import { LABEL_MAX } from "./run/run-flags.js";

export function parseLabel(text: string): string {
  if ([...text].length <= LABEL_MAX) return text;
  throw new InvalidArgumentError(`Expected at most ${LABEL_MAX} characters, found ${[...text].length}.`);
}
