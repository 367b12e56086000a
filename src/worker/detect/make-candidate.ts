/** What every candidate of a rule has in common. */
import type { Constraints, PromptContent } from "../../model/prompt.js";
import type { Candidate, CandidateChoice } from "../../sdk/candidate.js";
import type { CompiledRule } from "./compiled.js";
import { fingerprintOf } from "./fingerprint.js";
import type { Page } from "./layout.js";

const ENTER = "\r";
const ESCAPE = "\u001b";

export interface Asked {
  readonly question: string;
  readonly choices: readonly CandidateChoice[];
  readonly highlighted: number | null;
  readonly constraints: Constraints;
  readonly content: PromptContent;
  /** Rows of the page. */
  readonly top: number;
  readonly bottom: number;
  /** The content may change while the question stays: an error, a suggestion, what was typed. */
  readonly isFickle?: boolean;
}

export function makeCandidate(rule: CompiledRule, page: Page, asked: Asked): Candidate {
  const { question, choices, content } = asked;
  const lasting = asked.isFickle ? { text: "" } : content;
  return {
    rule: rule.name,
    question,
    choices,
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
    fingerprint: fingerprintOf({ rule: rule.name, question, choices, content: lasting }),
    ...(rule.deafMs > 0 && { deafMs: rule.deafMs }),
    ...(rule.revealsMs > 0 && { revealsMs: rule.revealsMs }),
    committingKeys: [ENTER, ESCAPE, ...choices.flatMap(keyOf)],
    endsTool: [],
  };
}

/** One character may be the whole answer. */
function keyOf({ answer }: CandidateChoice): string[] {
  if (answer.by === "key") return [answer.key];
  return answer.by === "typed" && answer.text.length === 1 ? [answer.text] : [];
}
