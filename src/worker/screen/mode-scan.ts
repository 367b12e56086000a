/** Finds the modes that a little output has left switched, without an emulator: it is needed before one is loaded. */
import { ModeTracker, type SequenceParser } from "./mode-restore.js";

/** The control sequences that switch modes: prefix, parameters, intermediate, final; or the final character of a short one. */
const SEQUENCE = /\x1b(?:\[([<=>?]?)([\d;:]*)(!?)([a-zA-Z])|([c=>]))/g;

/** Builds the sequence that restores a shell's modes on a terminal that shows this output; empty if no mode has changed. */
export function findModesToUndo(output: readonly Uint8Array[]): string {
  const handlers = new Map<string, (params: number[]) => unknown>();
  const parser: SequenceParser = {
    registerCsiHandler: ({ prefix = "", intermediates = "", final }, handler) =>
      handlers.set(`[${prefix}${intermediates}${final}`, handler),
    registerEscHandler: ({ final }, handler) => handlers.set(final, () => handler()),
  };
  const tracker = new ModeTracker(parser);
  for (const [, prefix = "", params = "", intermediate = "", final = "", short] of Buffer.concat(output)
    .toString("latin1")
    .matchAll(SEQUENCE)) {
    const name = short ?? `[${prefix}${intermediate}${final}`;
    handlers.get(name)?.(params.split(/[;:]/).map(Number));
  }
  return tracker.buildUndo();
}
