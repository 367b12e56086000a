/** What a run of the Prompt Lab found, before it is written down in one of the three forms. */
import type { Actual } from "./compare.js";

export interface ScenarioResult {
  readonly scenarioId: string;
  readonly tool: string;
  readonly file: string;
  readonly description: string;
  /** Empty when it passed. */
  readonly failures: readonly string[];
  readonly actual: Actual;
  /** The last picture of the terminal, row by row. */
  readonly frame: readonly string[];
  /** Real time the replay took. */
  readonly elapsedMs: number;
}

export type Reporter = (results: readonly ScenarioResult[]) => string;

export interface Summary {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
}

export function summarise(results: readonly ScenarioResult[]): Summary {
  const failed = results.filter((result) => result.failures.length > 0).length;
  return { total: results.length, passed: results.length - failed, failed };
}
