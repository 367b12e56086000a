/** The terminal colours used for drawing: sixteen of a dark scheme, the cube of 216 and the greys. Pure. */
import type { Colour } from "../../sdk/view.js";

export const BACKGROUND = "#16181d";
export const FOREGROUND = "#d7dae0";

const SIXTEEN = [
  ...["#3b4048", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#c8ccd4"],
  ...["#5c6370", "#ff8b92", "#b5e890", "#ffd68a", "#8cc8ff", "#e0a0f5", "#7fd6e0", "#ffffff"],
];
const CUBE_START = 16;
const GREYS_START = 232;
const CUBE_STEPS = [0, 95, 135, 175, 215, 255];

export function toHex(colour: Colour, otherwise: string): string {
  if (colour === null) return otherwise;
  if (typeof colour === "string") return colour;
  const named = SIXTEEN[colour];
  if (named !== undefined) return named;
  if (colour >= GREYS_START)
    return formatHex([0, 0, 0].map(() => 8 + (Math.min(colour, 255) - GREYS_START) * 10));
  const at = colour - CUBE_START;
  return formatHex(
    [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((step) => CUBE_STEPS[step] ?? 0),
  );
}

function formatHex(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
