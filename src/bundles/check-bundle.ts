/** Checks that the adapters of a bundle compile, and that its scenarios hold. */
import { checkAdapter, type AdapterCheck } from "../../prompt-lab/check/check-adapter.js";
import { replayScenario } from "../../prompt-lab/replay/run-scenario.js";
import { parseScenario, type Scenario } from "../../prompt-lab/scenario/scenario.js";
import { AtlasBridgeError } from "../model/errors.js";
import { systemClock } from "../observe/clock.js";
import { addAdapterCode } from "../plugins/adapters/adapters.js";
import { compileAdapter } from "../worker/adapter-format/compiled/compile-rules.js";
import type { CompiledAdapter } from "../worker/adapter-format/compiled/compiled.js";
import type { BundleContents } from "./bundle-file.js";

const CHECK_MS_MAX = 20 * 60_000;

export interface BundledAdapter {
  readonly text: string;
  readonly adapter: CompiledAdapter;
}

export interface CheckedBundle {
  readonly adapters: readonly BundledAdapter[];
  readonly checks: readonly AdapterCheck[];
}

/** `source`: for messages. Errors: ATB_BUNDLE_INVALID, with all problems of an adapter. */
export async function checkBundle(contents: BundleContents, source: string): Promise<CheckedBundle> {
  const adapters = contents.adapters.map((each) => compileBundled(each, source));
  const scenarios = readScenarios(contents, source);
  const playInTime = withDeadline(source);
  const checks: AdapterCheck[] = [];
  for (const { adapter, text } of adapters) {
    const own = scenarios.filter(({ tool }) => tool === adapter.name);
    checks.push(await checkAdapter(addAdapterCode(adapter), text, own, playInTime));
  }
  const problems = checks.flatMap((check) => check.problems.map((problem) => `${check.name}: ${problem}`));
  if (problems.length > 0) throw createInvalidError(source, problems.join("\n  "));
  return { adapters, checks };
}

function compileBundled({ name, text }: { name: string; text: string }, source: string): BundledAdapter {
  const place = `${source}, adapter ${name}`;
  const adapter = reportAsInvalid(source, () => compileAdapter(text, place));
  if (adapter.name === name) return { text, adapter };
  throw createInvalidError(place, `its name is "${adapter.name}", not "${name}"`);
}

function readScenarios(contents: BundleContents, source: string): readonly Scenario[] {
  const names = new Set(contents.adapters.map(({ name }) => name));
  const ids = new Set<string>();
  return contents.scenarios.map((text, index) => {
    const place = `${source}, scenario ${index + 1}`;
    const scenario = reportAsInvalid(source, () => parseScenario(text, place, () => refuseFile(place)));
    if (!names.has(scenario.tool))
      throw createInvalidError(place, `is for "${scenario.tool}", which is no adapter of this bundle`);
    if (ids.has(scenario.scenarioId))
      throw createInvalidError(place, `has the same scenario_id as one before it: ${scenario.scenarioId}`);
    ids.add(scenario.scenarioId);
    return scenario;
  });
}

/** A bundle must not reach files of the machine that it is installed on. */
function refuseFile(place: string): never {
  throw createInvalidError(place, "names a recording_file; in a bundle the recording stands in the scenario");
}

function withDeadline(source: string): typeof replayScenario {
  const end = systemClock.monotonic() + CHECK_MS_MAX;
  return (scenario, adapter) => {
    if (systemClock.monotonic() < end) return replayScenario(scenario, adapter);
    throw createInvalidError(source, `its scenarios take longer than ${CHECK_MS_MAX / 60_000} minutes`);
  };
}

function reportAsInvalid<T>(source: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AtlasBridgeError) || error.code === "ATB_BUNDLE_INVALID") throw error;
    throw createInvalidError(source, error.message, error);
  }
}

function createInvalidError(place: string, problem: string, cause?: unknown): AtlasBridgeError {
  return new AtlasBridgeError("ATB_BUNDLE_INVALID", `${place}: ${problem}`, {
    hint: "Nothing was installed. Tell whoever made the bundle.",
    cause,
  });
}
