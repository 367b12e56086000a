/** What a dialog can be drawn in. */

/**
 * `box`: all around it, the lowest one. `bar`: a bar at its left side. `gutter`: lines at the sides of any rows. `window`: the
 * box around the cursor, wherever it stands. `edge`: a scroll bar at the right edge, or none.
 */
export const FRAMES = ["box", "bar", "gutter", "window", "edge"] as const;

export type FrameKind = (typeof FRAMES)[number];
