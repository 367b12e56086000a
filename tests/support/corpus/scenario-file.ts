/** A labelled recording as the scenario file that the Prompt Lab runs. */
import type { Label, Situation, Size } from "./situation.js";

export interface Recorded {
  readonly tool: string;
  readonly situation: Situation;
  readonly size: Size;
  readonly version: string;
  /** Name of both files, without extension. */
  readonly stem: string;
}

export function writeScenario({ tool, situation, size, version, stem }: Recorded): string {
  const [cols, rows] = size.split("x").map(Number);
  const label = typeof situation.label === "function" ? situation.label(size) : situation.label;
  const scenario = {
    tool,
    scenario_id: `${tool}_${situation.name.replaceAll("-", "_")}_${size}_${version}`,
    description: `${situation.description} (${tool} ${version})`,
    cols,
    rows,
    recording_file: `${stem}.jsonl`,
    ...writeExpectations(label),
  };
  return `${JSON.stringify(scenario, null, 2)}\n`;
}

function writeExpectations(label: Label): object {
  const asks = label.type !== null;
  return {
    expected_type: label.type,
    expected_confidence_band: asks ? (label.band ?? "HIGH") : undefined,
    expected_excerpt_contains: label.excerpt,
    expected_choices: label.choices,
    expected_default: label.byDefault,
    expected_content_contains: label.content,
    expected_state: label.state ?? (asks ? "waiting" : undefined),
    expected_count: label.count,
    replies: label.replies?.map(({ value, text, keys }) => ({ value, text, expected_keys: keys })),
  };
}
