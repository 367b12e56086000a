/** The text that must not change before a dialog counts as drawn. */
import type { Candidate } from "../../../sdk/candidate.js";
import type { View } from "../../../sdk/view.js";

/** Digits of clocks and frames of spinners, which change without the dialog being redrawn. */
const MOVING = /[\d\u2800-\u28ff◐◓◑◒✢✳✶✻✽]/gu;

/** Sides of frames, and scroll bars, which come and go when something moves elsewhere. */
const EDGES = new Set("│┃║|█▀▄▐▕┆");

/** The text of the candidate's region and of all rows below it. Changes above it do not matter, nor does its position on the screen. */
export function computeQuietKey(view: View, { region }: Candidate): string {
  return view.lines
    .slice(region.top)
    .map((line) => withoutEdge(line.text).replace(MOVING, "0"))
    .filter((text) => text !== "")
    .join("\n");
}

function withoutEdge(text: string): string {
  const drawn = text.trimEnd();
  return EDGES.has(drawn.at(-1) ?? "") ? drawn.slice(0, -1).trimEnd() : drawn;
}
