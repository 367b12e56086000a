/** Hand-made views, candidates and replies. */
import { asId, LOCAL_IDENTITY } from "../../../../src/model/ids.js";
import { chooseNewlinePolicy } from "../../../../src/model/answer/newline.js";
import type { NewlinePolicy, Reply } from "../../../../src/model/answer/reply.js";
import type { Candidate, CandidateChoice } from "../../../../src/sdk/candidate.js";
import type { TerminalModes, View, ViewLine } from "../../../../src/sdk/view.js";

const MODES: TerminalModes = {
  alternateScreen: false,
  bracketedPaste: false,
  applicationCursorKeys: false,
  focusReports: false,
  synchronizedUpdate: false,
};

export interface ViewParts {
  readonly cursor?: readonly [x: number, y: number];
  readonly modes?: Partial<TerminalModes>;
  readonly scrollback?: readonly string[];
  /** Rows that the terminal wrapped from the row above. */
  readonly wrapped?: readonly number[];
  readonly frame?: number;
}

export function makeView(rows: readonly string[], parts: ViewParts = {}): View {
  const [x, y] = parts.cursor ?? [0, rows.length];
  const lines = Array.from({ length: 24 }, (_, row): ViewLine => {
    const text = (rows[row] ?? "").trimEnd();
    return { text, wrapped: parts.wrapped?.includes(row) ?? false, runs: () => [] };
  });
  return {
    cols: 80,
    rows: lines.length,
    lines,
    cursor: { x, y, visible: true },
    modes: { ...MODES, ...parts.modes },
    title: "",
    scrollback: parts.scrollback ?? [],
    frame: parts.frame ?? 1,
  };
}

export type ChoiceParts = Partial<CandidateChoice> & Pick<CandidateChoice, "label">;

/** Choice `n` stands in row `n` (1-based) and is taken with its digit, unless `parts` say otherwise. */
export function makeChoices(...parts: readonly ChoiceParts[]): CandidateChoice[] {
  return parts.map((part, i) => ({
    intent: "other",
    answer: { by: "key", key: String(i + 1) },
    firstRow: i + 1,
    lastRow: i + 1,
    ...part,
  }));
}

export const ARROWS = { by: "arrows" } as const;

export function makeCandidate(parts: Partial<Candidate> = {}): Candidate {
  const choices =
    parts.choices ??
    makeChoices({ label: "Yes", intent: "allow_once" }, { label: "No", intent: "reject_once" });
  const question = parts.question ?? "Do you want to proceed?";
  return {
    rule: "permission",
    shape: "list",
    promptType: "multiple_choice",
    safetyClass: "permission",
    score: 0.95,
    question,
    choices,
    highlighted: 1,
    constraints: {},
    content: { text: "rm -rf build", cut: null },
    drawn: parts.content?.text ?? "rm -rf build",
    listed: "",
    size: { cols: 80, rows: 24 },
    region: { top: 0, bottom: choices.length + 1 },
    fingerprint: asId(`print of ${question} ${choices.map(({ label }) => label).join("|")}`),
    committingKeys: ["\r", "\u001b"],
    endsTool: [],
    ...parts,
  };
}

/** A reply as the hub makes it: with the policy of its table. */
export function replyTo(
  candidate: Candidate,
  value: string,
  text?: string,
  policy: NewlinePolicy = chooseNewlinePolicy(candidate.promptType, value),
): Reply {
  return {
    replyId: asId("reply"),
    promptId: asId("prompt"),
    sessionId: asId("session"),
    value,
    ...(text !== undefined && { text }),
    nonce: asId("0".repeat(32)),
    channelIdentity: LOCAL_IDENTITY,
    timestamp: "2026-01-01T00:00:00.000Z",
    newlinePolicy: policy,
  };
}
