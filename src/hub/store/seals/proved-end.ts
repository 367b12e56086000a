/** Finds how a prompt ended according to the audit, for a prompt whose row has no valid proof. Pure. */
import type { PromptState } from "../../../model/lifecycle.js";
import type { OwnStep } from "../audit-log.js";

export interface ProvedEnd {
  readonly state: PromptState;
  /** Replaces its text and its outcome. */
  readonly text: string;
}

/** `steps`: the audit's records of the prompt, in order. Null if it had not ended. */
export function findProvedEnd(steps: readonly OwnStep[]): ProvedEnd | null {
  const state = steps.reduce<PromptState | null>((known, step) => parseEnd(step) ?? known, null);
  if (state === null) return null;
  const claims = steps.filter(({ step }) => step === "prompt_claimed");
  const by = parseDetails(claims.at(-1))["by"];
  const who = state === "answered" && typeof by === "string" ? `, by ${by}` : "";
  return { state, text: `${CHANGED} According to the audit it ended as ${state}${who}.` };
}

const CHANGED =
  "⚠️ This prompt's record is damaged or was changed by another program. It does not prove what was asked or answered.";

const ENDS: Readonly<Record<string, PromptState>> = {
  prompt_expired: "expired",
  prompt_withdrawn: "withdrawn",
  prompt_superseded: "superseded",
};

function parseEnd(own: OwnStep): PromptState | null {
  const { outcome, code, stillAsked } = parseDetails(own);
  switch (own.step) {
    case "injection_ended":
      return outcome === "answered" || outcome === "uncertain" || outcome === "failed" ? outcome : null;
    case "reply_refused":
      if (stillAsked === true) return null;
      return code === "superseded" ? "superseded" : "withdrawn";
    default:
      return ENDS[own.step] ?? null;
  }
}

function parseDetails(own: OwnStep | undefined): Readonly<Record<string, unknown>> {
  return own === undefined ? {} : (JSON.parse(own.details) as Readonly<Record<string, unknown>>);
}
