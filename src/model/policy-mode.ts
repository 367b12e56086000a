export const MODES = ["off", "assist", "full"] as const;
/** `off`: people only. `assist`: a rule's answer is suggested first. `full`: rules answer. */
export type Mode = (typeof MODES)[number];

/** What a yes may be too weighty for a tap for, though no rule says so: then it takes the number of the tool's terminal. */
export const NUMBER_CASES = ["always_allow", "hidden", "destructive"] as const;
export type NumberCase = (typeof NUMBER_CASES)[number];

/** What routes and quiet hours tell apart: a prompt's safety class, and whether it may destroy what cannot be brought back. */
export const PROMPT_CLASSES = [
  "permission",
  "question",
  "plan",
  "startup",
  "trust",
  "login",
  "update",
  "secret",
  "destructive",
] as const;
export type PromptClass = (typeof PROMPT_CLASSES)[number];
