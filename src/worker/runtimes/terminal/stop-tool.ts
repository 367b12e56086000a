/** The second half of "deny and stop": interrupts what the tool still does after the no, and waits for the end of that. */
import type { Clock } from "../../../model/clock.js";
import type { ReceiptBlock } from "../../../model/answer/receipt.js";
import type { ToolState } from "../../../model/tool-state.js";
import { pause } from "../../answer/terminal-port.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";

const STARTS_WITHIN_MS = 5000;
/** A tool that is seen idle for this long has ended its turn after the no: the pause between two steps is shorter. */
const RESTS_MS = 1500;
const STOPS_WITHIN_MS = 5000;
/** Between two pictures of a spinner there can be one without it. */
const STOPPED_MS = 500;
const LOOK_EVERY_MS = 50;

export interface StopOptions {
  readonly clock: Clock;
  readonly prompts: { readonly isAsking: boolean };
  /** Presses the key if the tool provably works and has no open prompt; returns why not, or null. */
  readonly controls: { interrupt(): string | null };
  readonly terminal: { readonly alive: boolean };
  readonly state: () => ToolState | null;
  readonly typedKeys: { readonly typedAt: number };
}

/** A stop is offered only where the end of the tool's work can be seen. */
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

/** Never rejects. The key is pressed once at most, and not at all where a prompt would take it for an answer. */
export async function stopTool(options: StopOptions, halt?: AbortSignal): Promise<ReceiptBlock> {
  const { clock, state } = options;
  const begun = clock.monotonic();
  let idleSince: number | null = null;
  while (clock.monotonic() < begun + STARTS_WITHIN_MS) {
    const over = findEarlyEnd(options, halt);
    if (over) return over;
    // The current work may be what the person has just asked for.
    if (options.typedKeys.typedAt >= begun) return reportFailed("somebody typed at the terminal");
    const now = state();
    idleSince = now === "idle" ? (idleSince ?? clock.monotonic()) : null;
    if (idleSince !== null && clock.monotonic() - idleSince >= RESTS_MS)
      return reportStopped("it went to rest by itself");
    if (now === "working" && options.controls.interrupt() === null) return waitForStop(options);
    await pause(clock, LOOK_EVERY_MS);
  }
  return reportFailed("it was not seen to work for long enough to be interrupted");
}

async function waitForStop(options: StopOptions): Promise<ReceiptBlock> {
  const { clock, state } = options;
  const end = clock.monotonic() + STOPS_WITHIN_MS;
  let workedAt = clock.monotonic();
  while (clock.monotonic() < end) {
    await pause(clock, LOOK_EVERY_MS);
    if (!options.terminal.alive) return reportStopped("it ended");
    if (state() !== "idle") workedAt = clock.monotonic();
    if (options.prompts.isAsking) return ASKS_ELSE;
    if (clock.monotonic() - workedAt >= STOPPED_MS) return reportStopped("it was interrupted");
  }
  const seen = state() === "working" ? "it works on" : "it was not seen at rest";
  return reportFailed(`its key was pressed, and ${seen}`);
}

function findEarlyEnd(
  { terminal, prompts }: StopOptions,
  halt: AbortSignal | undefined,
): ReceiptBlock | null {
  if (!terminal.alive) return reportStopped("it ended");
  if (halt?.aborted) return reportFailed("AtlasBridge was paused");
  return prompts.isAsking ? ASKS_ELSE : null;
}

function reportStopped(evidence: string): ReceiptBlock {
  return { stopped: true, evidence };
}

function reportFailed(evidence: string): ReceiptBlock {
  return { stopped: false, evidence };
}
