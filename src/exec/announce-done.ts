/** Tells that nothing has to be done, on every output of `exec`. */
import { EXIT } from "../model/errors.js";
import { announce } from "../worker/session/host/announce.js";
import { writeToScreen } from "../worker/session/host/host-output.js";
import type { CheckpointFile } from "./checkpoint.js";
import { NOTHING_DONE } from "./exec-loop.js";
import type { ExecOptions } from "./exec-options.js";
import { formatEvent } from "./exec-printer.js";

/** The awaited file exists before anything was started. */
export function announceDone(options: ExecOptions, file: CheckpointFile | null): number {
  file?.remove();
  if (!options.quiet) announce([`atlasbridge: ${options.untilFile} already exists; nothing was started`]);
  if (options.json) writeToScreen(formatEvent({ type: "end", exit_code: EXIT.ok, ...NOTHING_DONE }));
  return EXIT.ok;
}
