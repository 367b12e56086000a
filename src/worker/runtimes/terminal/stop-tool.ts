/** The second half of "deny and stop": what the tool still does after the no is interrupted, and seen to end. */
import type { Clock } from "../../../model/clock.js";
import type { ReceiptBlock } from "../../../model/answer/receipt.js";
import type { ToolState } from "../../../model/tool-state.js";
import { pause } from "../../answer/terminal-port.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";

/** A model takes a while to hear of the no, and to go on. */
const STARTS_WITHIN_MS = 5000;
/** A tool that is seen idle for so long has taken the no for the end: the pause between two steps is shorter. */
const RESTS_MS = 1500;
/** How long the effect of the interrupting key may take. */
const STOPS_WITHIN_MS = 5000;
/** Two pictures of a spinner can have one without it between them. */
const STOPPED_MS = 500;
const LOOK_EVERY_MS = 50;

export interface StopOptions {
  readonly clock: Clock;
  readonly prompts: { readonly isAsking: boolean };
  /** Presses the key if the tool provably works and asks nothing; says why not, or null. */
  readonly controls: { interrupt(): string | null };
  readonly terminal: { readonly alive: boolean };
  /** What the tool says or shows of itself; null when neither is known. */
  readonly state: () => ToolState | null;
  /** When a person last typed at the terminal, on the clock. */
  readonly typedKeys: { readonly typedAt: number };
}

/** Without a picture of its work and one of its rest nobody could say whether a tool stopped: then the wish is not offered. */
export function isStoppable({
  interrupt,
  states,
}: {
  readonly interrupt: CompiledAdapter["interrupt"];
  readonly states: Pick<CompiledAdapter["states"], "working" | "idle">;
}): boolean {
  return interrupt.length > 0 && states.working.length > 0 && states.idle.length > 0;
}

const ASKS_ELSE: ReceiptBlock = { stopped: false, evidence: "it asks something else" };

/** Never rejects. The key is pressed once at most, and not at all where a question would take it for an answer. */
export async function stopTool(options: StopOptions, halt?: AbortSignal): Promise<ReceiptBlock> {
  const { clock, state } = options;
  const begun = clock.monotonic();
  let idleSince: number | null = null;
  while (clock.monotonic() < begun + STARTS_WITHIN_MS) {
    const over = isOver(options, halt);
    if (over) return over;
    // What works now may be what the person has just asked for.
    if (options.typedKeys.typedAt >= begun) return failed("somebody typed at the terminal");
    const now = state();
    // A dialog that nobody can read is neither work nor rest.
    idleSince = now === "idle" ? (idleSince ?? clock.monotonic()) : null;
    if (idleSince !== null && clock.monotonic() - idleSince >= RESTS_MS)
      return stopped("it went to rest by itself");
    if (now === "working" && options.controls.interrupt() === null) return seenToStop(options);
    await pause(clock, LOOK_EVERY_MS);
  }
  return failed("it was not seen to work for long enough to be interrupted");
}

async function seenToStop(options: StopOptions): Promise<ReceiptBlock> {
  const { clock, state } = options;
  const end = clock.monotonic() + STOPS_WITHIN_MS;
  let workedAt = clock.monotonic();
  while (clock.monotonic() < end) {
    await pause(clock, LOOK_EVERY_MS);
    if (!options.terminal.alive) return stopped("it ended");
    if (state() !== "idle") workedAt = clock.monotonic();
    if (options.prompts.isAsking) return ASKS_ELSE;
    if (clock.monotonic() - workedAt >= STOPPED_MS) return stopped("it was interrupted");
  }
  const seen = state() === "working" ? "it works on" : "it was not seen at rest";
  return failed(`its key was pressed, and ${seen}`);
}

function isOver({ terminal, prompts }: StopOptions, halt: AbortSignal | undefined): ReceiptBlock | null {
  if (!terminal.alive) return stopped("it ended");
  if (halt?.aborted) return failed("AtlasBridge was paused");
  return prompts.isAsking ? ASKS_ELSE : null;
}

function stopped(evidence: string): ReceiptBlock {
  return { stopped: true, evidence };
}

function failed(evidence: string): ReceiptBlock {
  return { stopped: false, evidence };
}
