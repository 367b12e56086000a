/** What happened to a prompt, in words, with seconds since it was detected. Pure. */
export interface TimedStep {
  readonly step: string;
  readonly at: number;
}

/** The audited steps that matter to people, with their names. */
const WORDS: Readonly<Record<string, string>> = {
  card_posted: "shown",
  answer_rejected: "refused",
  injection_began: "typed",
  injection_ended: "confirmed",
  prompt_withdrawn: "answered at the terminal",
};

/** `shown after 0.01 s, typed after 0.11 s, …`: the first of each. */
export function formatTimeline(steps: readonly TimedStep[]): string {
  const start = steps[0]?.at ?? 0;
  const told = Object.entries(WORDS).flatMap(([step, word]) => {
    const first = steps.find((item) => item.step === step);
    return first ? [`${word} after ${((first.at - start) / 1000).toFixed(2)} s`] : [];
  });
  return told.join(", ");
}
