/** Checks an adapter by replaying its scenarios. */
import type { CompiledAdapter } from "../../src/worker/adapter-format/compiled/compiled.js";
import { detect } from "../../src/worker/detection/detect.js";
import type { ReplayResult } from "../replay/replay.js";
import { toPlainText, encodeAsBytes, plainTraces, revealsPart } from "../record/private-parts.js";
import { listFailures, replayScenario } from "../replay/run-scenario.js";
import type { Scenario } from "../scenario/scenario.js";

export interface AdapterCheck {
  readonly name: string;
  readonly scenarios: number;
  /** Scenarios without a prompt, in which none was raised. */
  readonly silent: number;
  readonly rules: readonly { readonly rule: string; readonly scenarios: number }[];
  /** Empty if the adapter is reliable. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** `text`: the adapter's file. `scenarios`: all of its scenarios. */
export async function checkAdapter(
  adapter: CompiledAdapter,
  text: string,
  scenarios: readonly Scenario[],
  play = replayScenario,
): Promise<AdapterCheck> {
  const seen: CheckedScenario[] = [];
  for (const scenario of scenarios)
    seen.push(summarizeReplay(scenario, adapter, await play(scenario, adapter)));
  const rules = adapter.rules.map(({ name }) => ({
    rule: name,
    scenarios: seen.filter(({ fired }) => fired.has(name)).length,
  }));
  const silent = seen.filter(({ isSilent }) => isSilent).length;
  return {
    name: adapter.name,
    scenarios: seen.length,
    silent,
    rules,
    problems: [
      ...listGaps(rules, seen.length, silent),
      ...listFailing(seen),
      ...findPrivate(text, scenarios),
    ],
    notes: [
      ...(adapter.tested ? [] : ["not tested: made without recordings of the tool"]),
      ...listUnansweredRules(adapter, seen),
    ],
  };
}

interface CheckedScenario {
  readonly id: string;
  readonly passed: boolean;
  readonly isSilent: boolean;
  readonly fired: ReadonlySet<string>;
  /** The rule of the open prompt with choices at the end, or null. */
  readonly asking: string | null;
  /** The scenario has expected keys for that prompt. */
  readonly isAnswered: boolean;
}

function summarizeReplay(scenario: Scenario, adapter: CompiledAdapter, shown: ReplayResult): CheckedScenario {
  const passed = listFailures(scenario, shown).length === 0;
  const { pending } = shown;
  return {
    id: scenario.scenarioId,
    passed,
    isSilent: passed && scenario.expected.type === null && shown.raised.length === 0,
    fired: passed ? listFiredRules(scenario, adapter, shown) : new Set(),
    asking: pending && pending.candidate.choices.length > 0 ? pending.candidate.rule : null,
    isAnswered: scenario.replies.length > 0,
  };
}

/** Raised at any time, or found at the end: a dialog that the user opened is found but not raised. */
function listFiredRules(
  { tty }: Scenario,
  adapter: CompiledAdapter,
  { raised, view }: ReplayResult,
): Set<string> {
  const last = detect(adapter, view, tty).candidate;
  return new Set([...raised.map(({ candidate }) => candidate.rule), ...(last ? [last.rule] : [])]);
}

function listGaps(rules: AdapterCheck["rules"], scenarios: number, silent: number): readonly string[] {
  if (scenarios === 0) return ["no scenario shows what it does"];
  const idle = rules.filter((rule) => rule.scenarios === 0).map(({ rule }) => rule);
  return [
    ...idle.map((rule) => `the rule ${rule} fires in no scenario`),
    ...(silent === 0 ? ["no scenario shows that it stays silent when nothing is asked"] : []),
  ];
}

/** A found prompt does not prove that the right keys are typed. */
function listUnansweredRules(
  { rules }: CompiledAdapter,
  seen: readonly CheckedScenario[],
): readonly string[] {
  const answered = new Set(seen.filter(({ isAnswered }) => isAnswered).map(({ asking }) => asking));
  const asking = new Set(seen.map((each) => each.asking));
  return rules
    .filter(({ name }) => asking.has(name) && !answered.has(name))
    .map(({ name }) => `no scenario says with "replies" which keys answer the rule ${name}`);
}

const IDS_SHOWN = 5;

function listFailing(seen: readonly CheckedScenario[]): readonly string[] {
  const ids = seen.filter(({ passed }) => !passed).map(({ id }) => id);
  if (ids.length === 0) return [];
  const shown = ids.slice(0, IDS_SHOWN).join(", ");
  const more = ids.length > IDS_SHOWN ? ` and ${ids.length - IDS_SHOWN} more` : "";
  return [`${ids.length} of ${seen.length} scenarios fail: ${shown}${more}`];
}

function findPrivate(text: string, scenarios: readonly Scenario[]): readonly string[] {
  const told = scenarios.filter(({ events }) =>
    hasPrivateTraces(
      toPlainText(events.map((event) => ("data_b64" in event ? decodeLatin1(event.data_b64) : "")).join(""))
        .text,
    ),
  );
  return [
    ...(hasPrivateTraces(encodeAsBytes(text))
      ? ["the file holds a home folder, a mail address or a token"]
      : []),
    ...told.map(
      ({ scenarioId }) => `the recording of ${scenarioId} shows a home folder, a mail address or a token`,
    ),
  ];
}

function hasPrivateTraces(text: string): boolean {
  return plainTraces(text).some((part) => revealsPart(text, part));
}

function decodeLatin1(base64: string): string {
  return Buffer.from(base64, "base64").toString("latin1");
}
