/** The scenario file that the Prompt Lab reads beside a recording. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PromptType } from "../../../src/model/prompt.js";
import type { Situation, Size } from "./situation.js";

export interface Recorded {
  readonly tool: string;
  readonly situation: Situation;
  readonly size: Size;
  readonly version: string;
  readonly out: string;
}

export function makeStem({ situation, size, version }: Recorded): string {
  return `${situation.name}-${size}-${version}`;
}

/**
 * Keeps the labels of the same situation in the latest version that has a scenario: they are a person's word, and say whether a newer
 * version still asks the same. Without one the file is a draft, which a person labels.
 */
export function writeScenario(recorded: Recorded): string {
  const { tool, situation, size, version, out } = recorded;
  const [cols, rows] = size.split("x").map(Number);
  const scenario = {
    tool,
    scenario_id: `${tool}_${situation.name.replaceAll("-", "_")}_${size}_${version}`,
    description: `${situation.description} (${tool} ${version})`,
    cols,
    rows,
    recording_file: `${makeStem(recorded)}.jsonl`,
  };
  const labels = Object.entries(readLatest(out, `${situation.name}-${size}-`) ?? {}).filter(
    ([key]) => !(key in scenario),
  );
  return `${JSON.stringify({ ...scenario, ...Object.fromEntries(labels) }, null, 2)}\n`;
}

export const SCENARIOS = join(import.meta.dirname, "../../../prompt-lab/scenarios");

interface Labels {
  readonly expected_type: PromptType | null;
  readonly expected_count: number;
  readonly replies?: readonly unknown[];
}

/** The scenario file of the latest version among those whose names begin so. */
export function readLatest(folder: string, prefix: string): Labels | null {
  const scenarios = readdirSync(folder).filter((file) => file.startsWith(prefix) && file.endsWith(".json"));
  const latest = scenarios.sort((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
  return latest === undefined ? null : (JSON.parse(readFileSync(join(folder, latest), "utf8")) as Labels);
}
