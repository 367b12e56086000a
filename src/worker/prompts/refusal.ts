import type { Rejection } from "../../model/answer/rejection.js";
import type { InjectionResult } from "../../sdk/adapter.js";

/** An answer that was not given. `stillAsked`: its prompt is still open, unchanged. */
export function createRefusal(rejection: Rejection, stillAsked: boolean): InjectionResult {
  return { kind: "refused", rejection, stillAsked };
}
