import type { Constraints, PromptContent } from "../../../model/prompt.js";
import type { Candidate, CandidateChoice, ChoiceAnswer } from "../../../sdk/candidate.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { computeFingerprint } from "../layout/fingerprint.js";
import { isLineShape } from "../shapes/line-shape.js";
import { readSize, type Page } from "../layout/layout.js";

const ENTER = "\r";
const ESCAPE = "\u001b";

export interface CandidateParts {
  readonly question: string;
  readonly choices?: readonly CandidateChoice[];
  readonly highlighted?: number | null;
  readonly constraints?: Constraints;
  readonly content: PromptContent;
  readonly top: number;
  readonly bottom: number;
  readonly drawn: string;
  readonly listed?: string;
}

export function makeCandidate(rule: CompiledRule, page: Page, parts: CandidateParts): Candidate {
  const { question, choices = [], highlighted = null, constraints = {}, content, drawn, listed = "" } = parts;
  return {
    rule: rule.name,
    question,
    choices,
    drawn,
    listed,
    size: readSize(page),
    content: rule.content === "none" || rule.promptType === "secret" ? { text: "", cut: null } : content,
    // Unlike a printed line, one that a tool draws does not move down when it is drawn again: `line-shape.ts`.
    shape: isLineShape(rule) ? `drawn_${rule.shape}` : rule.shape,
    promptType: rule.promptType,
    safetyClass: rule.safetyClass,
    ...(rule.fitsAnyMenu && { fitsAnyMenu: true as const }),
    score: rule.score,
    highlighted,
    constraints,
    region: { top: page.rows[parts.top]?.first ?? 0, bottom: page.rows[parts.bottom]?.last ?? 0 },
    fingerprint: computeFingerprint({ rule: rule.name, question, choices, drawn }),
    ...(rule.dropsKeysMs > 0 && { dropsKeysMs: rule.dropsKeysMs }),
    committingKeys: [ENTER, ESCAPE, ...choices.flatMap(listAnswerKeys)],
    endsTool: [],
  };
}

export function makeYesNo(
  spelling: readonly [yes: string, no: string],
  rows: Pick<CandidateChoice, "firstRow" | "lastRow">,
  chooseAnswer: (text: string) => ChoiceAnswer,
): CandidateChoice[] {
  const [yes, no] = spelling;
  return [
    { label: "Yes", intent: "allow_once", answer: chooseAnswer(yes), ...rows },
    { label: "No", intent: "reject_once", answer: chooseAnswer(no), ...rows },
  ];
}

/** A single typed character may be the whole answer, so it commits. */
function listAnswerKeys({ answer }: CandidateChoice): string[] {
  if (answer.by === "key") return [answer.key];
  return answer.by === "typed" && answer.text.length === 1 ? [answer.text] : [];
}
