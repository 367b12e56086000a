import { AtlasBridgeError } from "../../model/errors.js";

/** From asking a tool to end to ending it (adapter spec §2, `terminate_session`). */
export const TERMINATE_GRACE_MS = 3000;
/** A tool that has not ended its turn after this time is hung. */
export const CANCEL_WITHIN_MS = 10_000;
/**
 * The end of a hook call is reported after this time. The calls of a killed tool end some tenths of a second before its exit is
 * reported, and its dialog must not be raised as a new prompt.
 */
export const END_REPORTED_WITHIN_MS = 1000;

/** Environment variable of `run`, from 1 to 100: multiplies the limits of a tool, for a slow machine or line. */
export const TIMEOUT_FACTOR = "ATLASBRIDGE_TIMEOUT_FACTOR";

const timeoutFactor = readTimeoutFactor(process.env[TIMEOUT_FACTOR]);

export const TOOL_LIMITS = {
  /** How long the emulator may need to be without data; output that never pauses cannot be read safely. */
  settleWithinMs: 1000 * timeoutFactor,
  /** How long a tool that was woken (by a key, a signal, a timer) may take until it reads again. */
  toolReadsWithinMs: 300 * timeoutFactor,
  /** How long the expected effect of one key (a highlight, a tick, an echo) may take. Loaded machines redraw in 0.5–1 s. */
  stepWithinMs: 2000 * timeoutFactor,
  /** How long a tool may take to read a long paste: the kernel holds some 4 KiB of unread input. */
  pasteWithinMs: 2000 * timeoutFactor,
  /** How long the effect of the committing key may take before the answer is uncertain. */
  effectWithinMs: 4000 * timeoutFactor,
  /** How long the kernel may take to deliver a line. More than 10 ms were seen with seven busy programs for each core. */
  keyArrivesWithinMs: 250 * timeoutFactor,
  /** When a question has left the screen, its key has normally been read; the kernel confirms that within this time. */
  keyReadWithinMs: 60 * timeoutFactor,
  /** How long the hook call of a drawn dialog may take: a tenth of a second, and several of them on a busy machine. */
  hookCallWithinMs: 1500 * timeoutFactor,
  /** How long a tool may take to draw the dialog of a request: a second, and several of them on a busy machine. */
  drawnWithinMs: 10_000 * timeoutFactor,
};

export type ToolLimits = Readonly<typeof TOOL_LIMITS>;

/** Errors: ATB_USAGE. */
export function readTimeoutFactor(written: string | undefined): number {
  const factor = written ? Number(written) : 1;
  if (factor >= 1 && factor <= 100) return factor;
  throw new AtlasBridgeError(
    "ATB_USAGE",
    `${TIMEOUT_FACTOR} is ${JSON.stringify(written)}, not a number from 1 to 100`,
    {
      hint: `unset it, or set ${TIMEOUT_FACTOR}=10 to wait ten times as long for the tool`,
    },
  );
}
