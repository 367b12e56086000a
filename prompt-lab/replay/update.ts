/** Relabels scenarios with current results, each after confirmation. */
import { readFileSync, writeFileSync } from "node:fs";
import { findDrafts, type ScenarioFilter, requireOwnScenarios } from "../scenario/find-scenarios.js";
import { formatPicture, inspectScenario, type ScenarioInspection } from "./view.js";
import { readActual } from "./run-scenario.js";
import { LABEL_NAMES, LABELS, type Draft, type Expectations, type Label } from "../scenario/scenario.js";
import { resolvePaths } from "../../src/config/paths.js";
import { AtlasBridgeError } from "../../src/model/errors.js";
import { createAdapterLoader } from "../../src/plugins/adapters/adapters.js";
import { createNothingToRunError } from "./run.js";
import { compare, type Actual } from "./compare.js";

export interface UpdateDialog {
  show(lines: readonly string[]): void;
  /** False if nobody can be asked. */
  confirm(question: string): Promise<boolean>;
}

export interface Updated {
  readonly total: number;
  readonly changed: readonly string[];
  /** Files that do not match and were not changed. */
  readonly left: readonly string[];
}

export interface LabUpdateOptions {
  /** Files and folders; none: the default folders. */
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
    // Only a person may label the keys of an answer.
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

type Fields = Readonly<Record<string, unknown>>;

export interface Change {
  readonly field: Label;
  /** Undefined: the field is missing, or will be removed. */
  readonly from: unknown;
  readonly to: unknown;
}

/** These have a meaning without a prompt. */
const OF_THE_WHOLE: ReadonlySet<Label> = new Set(["expected_type", "expected_state", "expected_count"]);

/** The changes that make the labels match. Labels that match already keep their spelling. */
export function computeChanges(file: Fields, draft: Draft, actual: Actual): readonly Change[] {
  const seen = readLabels(actual);
  return LABEL_NAMES.flatMap((field) => {
    const change = { field, from: file[field], to: seen[field] };
    return isDue(change, draft, actual) ? [change] : [];
  });
}

function isDue({ field, from, to }: Change, { expected }: Draft, actual: Actual): boolean {
  if (JSON.stringify(from) === JSON.stringify(to)) return false;
  if (!expected) return to !== undefined;
  if (field === "expected_type") return expected.type !== actual.type;
  const isWhole = OF_THE_WHOLE.has(field);
  if (!isWhole && actual.type === null) return from !== undefined;
  // All labels of an unexpected prompt are new.
  if (!isWhole && expected.type === null) return true;
  return !holdsStill(field, expected, actual);
}

/** A missing label matches. */
function holdsStill(field: Label, expected: Expectations, actual: Actual): boolean {
  const key = LABELS[field];
  return compare({ type: actual.type, [key]: expected[key] }, actual).length === 0;
}

/** Without a prompt, only the labels of the whole recording. */
function readLabels(actual: Actual): Partial<Record<string, unknown>> {
  const whole = {
    expected_type: actual.type,
    expected_state: actual.state ?? undefined,
    expected_count: actual.count,
  };
  if (actual.type === null) return whole;
  const lines = (actual.content ?? "").split("\n").map((line) => line.trim());
  return {
    ...whole,
    expected_safety_class: actual.safetyClass ?? undefined,
    expected_confidence_band: actual.confidence?.toUpperCase(),
    expected_excerpt_contains: actual.excerpt ?? "",
    expected_choices: actual.choices,
    expected_default: actual.defaultChoice,
    expected_content_contains: lines.filter((line) => line !== ""),
  };
}

/** Labels follow the recording and precede the replies. */
export function relabelScenario(file: Fields, changes: readonly Change[]): string {
  const changed = new Map(changes.map(({ field, to }) => [field, to]));
  const isLabel = (name: string): boolean => name in LABELS;
  const { replies, ...others } = file;
  const recorded = Object.entries(others).filter(([name]) => !isLabel(name));
  const labels = LABEL_NAMES.map((name) => [name, changed.has(name) ? changed.get(name) : file[name]]);
  const fields = Object.fromEntries([...recorded, ...labels, ["replies", replies]]) as Fields;
  return `${JSON.stringify(fields, null, 2)}\n`;
}

export function changeLines({ field, from, to }: Change): readonly string[] {
  return [
    ...(from === undefined ? [] : [`- ${field}: ${JSON.stringify(from)}`]),
    ...(to === undefined ? [] : [`+ ${field}: ${JSON.stringify(to)}`]),
  ];
}
