/** The demo agent's prompts, the answers, and what it must record. */
export interface DemoStep {
  /** Name of the step in the agent's log. */
  readonly step: string;
  /** Part of the question that identifies the prompt. */
  readonly question: string;
  /** Value sent through the hub; null for what must be typed at the terminal. */
  readonly value: string | null;
  /** Typed at the terminal if `value` is null. */
  readonly typed: string;
  readonly effect: string;
  /** The answer in words. */
  readonly words: string;
}

export const DEMO_STEPS: readonly DemoStep[] = [
  {
    step: "permission",
    question: "run this command",
    value: "1",
    typed: "",
    effect: "Yes",
    words: "1 (Yes)",
  },
  { step: "overwrite", question: "Overwrite", value: "n", typed: "", effect: "no", words: "n" },
  {
    step: "targets",
    question: "Which targets",
    value: "1,3",
    typed: "",
    effect: "Linux, Windows",
    words: "1,3 (Linux, Windows)",
  },
  {
    step: "name",
    question: "release be called",
    value: "Spring clean",
    typed: "",
    effect: "Spring clean",
    words: "“Spring clean”",
  },
  {
    step: "secret",
    question: "password",
    value: null,
    typed: "not-a-secret",
    effect: "12 characters",
    words: "typed at the terminal",
  },
];
