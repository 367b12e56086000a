/** The scenario file of a fresh recording: all that a machine can know; what must be seen in it is for a person to say. */
import type { Signals } from "../src/sdk/view.js";

export interface Skeleton {
  readonly tool: string;
  readonly scenarioId: string;
  /** Empty: for a person to say. */
  readonly description?: string;
  readonly recordingFile: string;
  readonly cols: number;
  readonly rows: number;
  readonly tty: Signals;
}

/** Text of the file. It has no `expected_type`, so that `lab run` refuses it until somebody has looked. */
export function formatSkeleton({
  tool,
  scenarioId,
  description = "",
  recordingFile,
  cols,
  rows,
  tty,
}: Skeleton): string {
  const { echo, canonical, blockedOnRead, foreground, readsInside } = tty;
  const facts = { echo, canonical, blocked_on_read: blockedOnRead, foreground, reads_inside: readsInside };
  const known = Object.values(facts).some((fact) => fact !== undefined);
  const fields = {
    tool,
    scenario_id: scenarioId,
    description,
    cols,
    rows,
    recording_file: recordingFile,
    tty: known ? facts : undefined,
  };
  return `${JSON.stringify(fields, null, 2)}\n`;
}
