/** What every candidate of a rule has in common. */
import type { Constraints, PromptContent } from "../../../model/prompt.js";
import type { Candidate, CandidateChoice } from "../../../sdk/candidate.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { fingerprintOf } from "../layout/fingerprint.js";
import { sizeOf, type Page } from "../layout/layout.js";

const ENTER = "\r";
const ESCAPE = "\u001b";

export interface CandidateParts {
  readonly question: string;
  readonly choices: readonly CandidateChoice[];
  readonly highlighted: number | null;
  readonly constraints: Constraints;
  readonly content: PromptContent;
  /** Rows of the page. */
  readonly top: number;
  readonly bottom: number;
  /** See `Candidate`. */
  readonly drawn: string;
  readonly listed?: string;
}

export function makeCandidate(rule: CompiledRule, page: Page, asked: CandidateParts): Candidate {
  const { question, choices, content, drawn, listed = "" } = asked;
  return {
    rule: rule.name,
    question,
    choices,
    drawn,
    listed,
    size: sizeOf(page),
    content: rule.content === "none" || rule.promptType === "secret" ? { text: "", cut: null } : content,
    // What a tool draws anew moves no further down: `on-a-line.ts`.
    shape: rule.header === null ? rule.shape : `drawn_${rule.shape}`,
    promptType: rule.promptType,
    safetyClass: rule.safetyClass,
    ...(rule.byLooks && { byLooks: true as const }),
    score: rule.score,
    highlighted: asked.highlighted,
    constraints: asked.constraints,
    region: { top: page.rows[asked.top]?.first ?? 0, bottom: page.rows[asked.bottom]?.last ?? 0 },
    fingerprint: fingerprintOf({ rule: rule.name, question, choices, drawn }),
    ...(rule.deafMs > 0 && { deafMs: rule.deafMs }),
    committingKeys: [ENTER, ESCAPE, ...choices.flatMap(keyOf)],
    endsTool: [],
  };
}

/** One character may be the whole answer. */
function keyOf({ answer }: CandidateChoice): string[] {
  if (answer.by === "key") return [answer.key];
  return answer.by === "typed" && answer.text.length === 1 ? [answer.text] : [];
}
