/** Relabels scenarios with current results, after showing the screen and the change and asking for confirmation. */
import { readFileSync, writeFileSync } from "node:fs";
import { findDrafts, type ScenarioFilter } from "../../prompt-lab/find-scenarios.js";
import { formatPicture } from "../../prompt-lab/format-inspection.js";
import { inspectScenario, type ScenarioInspection } from "../../prompt-lab/inspect-scenario.js";
import { changeLines, computeChanges, relabelScenario, type Change } from "../../prompt-lab/relabel.js";
import { readActual } from "../../prompt-lab/run-scenario.js";
import type { Draft } from "../../prompt-lab/scenario.js";
import { resolvePaths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { createAdapterLoader } from "../plugins/adapters/adapters.js";
import { createNothingToRunError } from "./lab.js";
import { requireOwnScenarios } from "./scenarios.js";

export interface UpdateDialog {
  show(lines: readonly string[]): void;
  /** Whether the person agrees; false if nobody can be asked. */
  confirm(question: string): Promise<boolean>;
}

export interface Updated {
  readonly total: number;
  /** Written files. */
  readonly changed: readonly string[];
  /** Files whose labels do not match and were left unchanged. */
  readonly left: readonly string[];
}

export interface LabUpdateOptions {
  /** Files and folders; none: all of one's own scenarios. */
  readonly paths: readonly string[];
  readonly filter: ScenarioFilter;
}

/** Errors: ATB_USAGE (nothing to label), ATB_SCENARIO_INVALID, ATB_ADAPTER_UNKNOWN, ATB_ADAPTER_INVALID. */
export async function updateLabels(options: LabUpdateOptions, dialog: UpdateDialog): Promise<Updated> {
  const place = resolvePaths();
  const paths = options.paths.length > 0 ? options.paths : requireOwnScenarios(place);
  const drafts = findDrafts(paths, options.filter);
  if (drafts.length === 0) throw createNothingToRunError(paths, options.filter);
  const load = createAdapterLoader(place);
  const changed: string[] = [];
  const left: string[] = [];
  for (const draft of drafts) {
    const inspection = await inspectScenario(draft, await load(draft.tool), null);
    const outcome = await offer(draft, inspection, dialog);
    if (outcome !== null) (outcome ? changed : left).push(draft.file);
  }
  return { total: drafts.length, changed, left };
}

/** Null if the labels match; otherwise whether they were changed. */
async function offer(
  draft: Draft,
  inspection: ScenarioInspection,
  dialog: UpdateDialog,
): Promise<boolean | null> {
  const file = JSON.parse(readFileSync(draft.file, "utf8")) as Record<string, unknown>;
  const changes = computeChanges(file, draft, readActual(inspection.shown));
  const replies = (inspection.failures ?? []).filter((failure) => failure.startsWith("replies"));
  if (changes.length === 0 && replies.length === 0) return null;
  dialog.show(formatChange(draft, inspection, changes, replies));
  if (changes.length === 0 || !(await dialog.confirm(`Is that correct? Write it to ${draft.file}?`)))
    return false;
  write(draft.file, relabelScenario(file, changes));
  return replies.length === 0;
}

function formatChange(
  { tool, scenarioId, description }: Draft,
  { shown }: ScenarioInspection,
  changes: readonly Change[],
  replies: readonly string[],
): readonly string[] {
  return [
    "",
    `${tool}  ${scenarioId}  ${description}`,
    ...formatPicture(shown),
    ...changes.flatMap(changeLines),
    // The keys of an answer are never taken from what the code plans; a person must label them.
    ...replies.map((reply) => `! ${reply} (only by hand)`),
  ];
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw new AtlasBridgeError("ATB_USAGE", `${file} cannot be written`, { hint: "Check its owner.", cause });
  }
}
