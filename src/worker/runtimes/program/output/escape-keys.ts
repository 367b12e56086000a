/** Recognizes the echo of the keys that bring a program back to its prompt, which is no output of its command. */
import { matches } from "../../../adapter-format/pattern.js";

const INTERRUPT = "^C";

/** `presses`: how often the keys were pressed. `said`: the pattern of the program's reaction, by its file. */
export function showsOnlyKeys(text: string, presses: number, said: string | undefined): boolean {
  let rest = text.replaceAll("\n", "");
  for (let left = presses; left > 0; left--) rest = rest.replace(INTERRUPT, "");
  return rest === "" || (said !== undefined && matches(said, rest));
}
