/** An agent that wants its user to sign in: which of its ways, if any. Pure. */
import type { Choice } from "../../../model/prompt.js";
import { rejection } from "../../../model/rejection.js";
import { fingerprintOf } from "../../detect/fingerprint.js";
import type { SignIn } from "./agent-session.js";
import { SCORE, type Asking } from "../asking.js";

/** Never answered by itself: signing in is a person's own decision. */
export function signInAsking(methods: readonly SignIn[]): Asking {
  const ways = methods.map(({ name, description }): Choice => ({
    label: name,
    intent: "other",
    ...(description !== null && { detail: description }),
  }));
  const choices: Choice[] = [...ways, { label: "Do not sign in", intent: "reject_once" }];
  const known = {
    rule: "authenticate",
    question: "The agent wants you to sign in",
    choices,
    content: { text: "" },
  };
  return {
    question: {
      ...known,
      promptType: "multiple_choice",
      safetyClass: "login",
      score: SCORE,
      highlighted: null,
      constraints: { minChoice: 1, maxChoice: choices.length },
      content: { text: "", cut: null },
      fingerprint: fingerprintOf(known),
    },
    answer: ({ value }) => {
      const at = Number(value) - 1;
      if (!choices[at]) return rejection("option_unknown");
      const method = methods[at];
      return { result: method ? { methodId: method.id } : {} };
    },
    cancelled: {},
    refused: {},
  };
}
