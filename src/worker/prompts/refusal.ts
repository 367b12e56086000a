import type { Refusal } from "../../model/answer/refusal.js";
import type { InjectionResult } from "../../sdk/adapter.js";

/** An answer that was not given. `stillAsked`: its prompt is still open, unchanged. */
export function createRefusedResult(rejection: Refusal, stillAsked: boolean): InjectionResult {
  return { kind: "refused", rejection, stillAsked };
}
