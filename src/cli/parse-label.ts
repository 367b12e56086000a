import { InvalidArgumentError } from "commander";

/** Characters. It stands in one line of `status` and of cards, beside the tool and its folder. */
const LABEL_MAX = 80;

/** Parses `--label`. Errors: InvalidArgumentError. */
export function parseLabel(text: string): string {
  if ([...text].length <= LABEL_MAX) return text;
  throw new InvalidArgumentError(`Expected at most ${LABEL_MAX} characters, found ${[...text].length}.`);
}
