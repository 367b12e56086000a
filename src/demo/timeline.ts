/** The timeline of a prompt in ms since it was detected. Pure. */
export interface TimedStep {
  readonly step: string;
  readonly at: number;
}

/** The audited steps that matter to people, with their names. */
const WORDS: Readonly<Record<string, string>> = {
  prompt_detected: "detected",
  card_posted: "delivered",
  answer_rejected: "refused",
  prompt_claimed: "answered",
  injection_began: "written",
  injection_ended: "confirmed",
  prompt_withdrawn: "answered at the terminal",
};

/** `detected 0 · delivered 14 · answered 105 … ms`: the first of each. */
export function formatTimeline(steps: readonly TimedStep[]): string {
  const start = steps[0]?.at ?? 0;
  const told = Object.entries(WORDS).flatMap(([step, word]) => {
    const first = steps.find((item) => item.step === step);
    return first ? [{ word, ms: first.at - start }] : [];
  });
  return `${told.map(({ word, ms }) => `${word} ${ms}`).join(" · ")} ms`;
}
