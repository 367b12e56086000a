/** Questions that stand on the cursor's line, as a line program writes them; all others are drawn, and may be drawn anywhere. */
import type { Candidate } from "../../../sdk/candidate.js";
import type { Shape } from "../../adapter-format/adapter-file.js";

const LINE_SHAPES: ReadonlySet<string> = new Set<Shape>([
  "yes_no",
  "press_enter",
  "line",
  "line_menu",
  "secret",
]);

export function isOnALine({ shape }: Pick<Candidate, "shape">): boolean {
  return LINE_SHAPES.has(shape);
}
