/**
 * What is left out, and which rules go with it. A rule stays only if a recording outside of what is left out shows it, too: nobody would
 * have written it else.
 */
import type { Scenario } from "../../../prompt-lab/scenario/scenario.js";
import { readScene } from "../../../prompt-lab/scenario/situation.js";
import type { CompiledAdapter } from "../../../src/worker/adapter-format/compiled/compiled.js";

/** `its rules`: every rule that raises anything in the recording, whatever else shows it. */
export const KINDS = ["situation", "size", "version", "its rules"] as const;
export type GroupKind = (typeof KINDS)[number];

export interface Recording {
  readonly scenario: Scenario;
  /** Names of the rules that raised a prompt in it. */
  readonly rules: ReadonlySet<string>;
}

const VERSION = /_(\d{1,4}\.\d[^_]*)/u;

export function nameGroup({ scenario }: Recording, kind: GroupKind): string {
  const { tool, situation, cols, rows, scenarioId } = scenario;
  const groups: Record<GroupKind, string> = {
    situation: readScene(situation),
    size: `${cols}x${rows}`,
    version: VERSION.exec(scenarioId)?.[1] ?? "none",
    "its rules": scenarioId,
  };
  return `${tool} ${groups[kind]}`;
}

/** Of a tool of which one version alone is recorded, leaving that out would leave nothing. */
export function isOneOfSeveral(one: Recording, all: readonly Recording[], kind: GroupKind): boolean {
  if (kind !== "version") return true;
  if (nameGroup(one, kind).endsWith(" none")) return false;
  return all.some(
    (other) => nameGroup(other, kind) !== nameGroup(one, kind) && !nameGroup(other, kind).endsWith(" none"),
  );
}

/** Rules that are left out with a recording. `all`: all recordings of its tool. */
export function rulesLeftOut(
  one: Recording,
  all: readonly Recording[],
  kind: GroupKind,
): ReadonlySet<string> {
  if (kind === "its rules") return one.rules;
  const group = nameGroup(one, kind);
  const kept = new Set(all.flatMap((other) => (nameGroup(other, kind) === group ? [] : [...other.rules])));
  const own = all.flatMap((other) => (nameGroup(other, kind) === group ? [...other.rules] : []));
  return new Set(own.filter((rule) => !kept.has(rule)));
}

export function adapterWithout(adapter: CompiledAdapter, rules: ReadonlySet<string>): CompiledAdapter {
  return { ...adapter, rules: adapter.rules.filter(({ name }) => !rules.has(name)) };
}
