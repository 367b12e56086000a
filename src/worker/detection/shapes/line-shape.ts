/** Shapes of prompts that a line program prints on the cursor's line. All other shapes are drawn, anywhere on the screen. */
import type { Candidate } from "../../../sdk/candidate.js";
import type { Shape } from "../../adapter-format/adapter-file.js";

const LINE_SHAPES: ReadonlySet<string> = new Set<Shape>([
  "yes_no",
  "press_enter",
  "line",
  "line_menu",
  "secret",
]);

export function isLineShape({ shape }: Pick<Candidate, "shape">): boolean {
  return LINE_SHAPES.has(shape);
}
