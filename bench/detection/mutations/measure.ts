/** How a recorded dialog is read once it is drawn otherwise (`mutations.ts`). */
import type { Scenario } from "../../../prompt-lab/scenario/scenario.js";
import type { Candidate, CandidateChoice, ChoiceAnswer } from "../../../src/sdk/candidate.js";
import type { CompiledAdapter } from "../../../src/worker/adapter-format/compiled/compiled.js";
import { detect } from "../../../src/worker/detection/detect.js";
import { MenuWatch } from "../../../src/worker/detection/live/menu-watch.js";
import type { ReplayResult } from "../../../prompt-lab/replay/replay.js";
import { MUTATIONS } from "./mutations.js";

/**
 * `read`: the same choices. `noticed`: it reaches people without them, or with some left out. `missed`: nothing is raised. `misread`:
 * a choice is offered that would take another row than its words say.
 */
export const VERDICTS = ["read", "noticed", "missed", "misread"] as const;
export type TrialVerdict = (typeof VERDICTS)[number];

export interface MutationTrial {
  readonly tool: string;
  readonly scenarioId: string;
  readonly mutation: string;
  readonly verdict: TrialVerdict;
}

/** Of a scenario that ends with choices to take on the screen; else none. `shown` is what it showed. */
export function tryMutations(
  { tool, scenarioId, expected, tty }: Scenario,
  { view, pending }: ReplayResult,
  adapter: CompiledAdapter,
): readonly MutationTrial[] {
  const asked = pending?.candidate;
  if (expected.type === null || !asked || asked.choices.length < 2 || asked.promptType === "yes_no")
    return [];
  return Object.entries(MUTATIONS).flatMap(([mutation, mutate]) => {
    const drawn = mutate({ view, asked });
    if (drawn === null) return [];
    // Nobody has typed: what is drawn, the tool has drawn by itself.
    const { candidate } = new MenuWatch().classify(detect(adapter, drawn, tty), { now: 0, signals: tty });
    return [{ tool, scenarioId, mutation, verdict: judge(asked, candidate) }];
  });
}

export function judge(asked: Candidate, found: Candidate | null): TrialVerdict {
  if (found === null || found.safetyClass === "user_menu") return "missed";
  if (found.choices.length === 0) return "noticed";
  const wanted = asked.choices.map(listWords);
  const labels = asked.choices.map(({ label }) => label);
  const read = found.choices.map((choice) => {
    const at = labels.indexOf(choice.label);
    // What explains a row may be left out, or stand beside it.
    return at < 0 ? listWords(choice) : (wanted[at] ?? "");
  });
  // What is offered must be taken as the row with these words is taken.
  const isSafe = found.choices.every((choice, at) => {
    const label = read[at] ?? "";
    const same = asked.choices[wanted[at] === label ? at : wanted.indexOf(label)];
    return same !== undefined && isTakenAs(choice, same);
  });
  if (!isSafe) return "misread";
  return read.join("\n") === wanted.join("\n") ? "read" : "noticed";
}

/** A key of the row's own, or arrows: either takes the same row. */
function isTakenAs({ answer }: CandidateChoice, other: CandidateChoice): boolean {
  if (answer.by === "arrows" || other.answer.by === "arrows") return true;
  return nameKey(answer) === nameKey(other.answer);
}

function nameKey(answer: ChoiceAnswer): string {
  return answer.by === "arrows" ? "" : answer.by === "key" ? answer.key : answer.text;
}

/** A label that is drawn on two rows may be read as a label with its detail. */
function listWords({ label, detail }: CandidateChoice): string {
  return `${label} ${detail ?? ""}`.replace(/\s+/gu, " ").trim();
}
