/** The button "Yes for…" and the buttons behind it: how long or how often exactly this is allowed in advance. */
import { parseGrantTerms, type GrantTerms } from "../../../model/grant-terms.js";
import { STOP } from "../../../model/answer/reply.js";
import type { ButtonPlan } from "./button-plan.js";

/** It answers nothing: it shows the choices below. */
export const GRANT: ButtonPlan = {
  value: "grant",
  choice: { label: "Yes for…", intent: "other" },
};

/** Beside the answers; what stops the tool stays last. */
export function insertGrant(plans: readonly ButtonPlan[]): ButtonPlan[] {
  const stop = plans.findIndex(({ value }) => value === STOP);
  const at = stop < 0 ? plans.length : stop;
  return [...plans.slice(0, at), GRANT, ...plans.slice(at)];
}

const PREFIX = "grant:";

export function encodeGrant(terms: string): string {
  return `${PREFIX}${terms}`;
}

export function parseGrantButton(value: string): GrantTerms | null {
  return value.startsWith(PREFIX) ? parseGrantTerms(value.slice(PREFIX.length)) : null;
}
