/** Says of each tool how often its dialogs were read otherwise than its own requests say. */
import type { LoggedReading } from "../observe/reading-log.js";
import { makePrintable } from "../sdk/text.js";
import type { AdapterFacts } from "./adapters.js";
import { passCheck, warnCheck, type CheckFinding } from "./check.js";

const NAME_MAX = 40;
const TO_DO =
  "Set capture.disagreements to true: such dialogs are then kept, scrubbed, as drafts of scenarios (docs/how-to/record-a-scenario.md).";

/** Only readings by the adapter files that are used now: a later file may read what an earlier one did not. */
export function checkReadings(
  readings: readonly LoggedReading[],
  adapters: readonly Pick<AdapterFacts, "name" | "adapter">[],
): CheckFinding[] {
  return adapters.flatMap(({ name, adapter }) => {
    const own = readings.filter(
      ({ tool, adapter: version }) => tool === name && version === adapter?.version,
    );
    return own.length > 0 ? [judgeReadings(name, own)] : [];
  });
}

function judgeReadings(tool: string, readings: readonly LoggedReading[]): CheckFinding {
  const check = `reading:${tool}` as const;
  const differing = readings.filter(({ differences }) => differences.length > 0);
  const told = `${readings.length - differing.length} of ${readings.length} dialogs were read as the tool's own requests say`;
  const last = differing.at(-1);
  if (!last) return passCheck(check, told);
  const when = makePrintable(last.at.slice(0, 10), NAME_MAX);
  return warnCheck(check, `${told}; ${countKinds(differing)}; the last on ${when}`, TO_DO);
}

/** `choices 2, unseen 1` */
function countKinds(readings: readonly LoggedReading[]): string {
  const counts = new Map<string, number>();
  for (const kind of readings.flatMap(({ differences }) => differences))
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${makePrintable(kind, NAME_MAX)} ${count}`).join(", ");
}
