import type { Rejection } from "../../model/answer/rejection.js";
import type { InjectionResult } from "../../sdk/adapter.js";

/** An answer that was not put in. `stillAsked`: its prompt stands as it was. */
export function refused(rejection: Rejection, stillAsked: boolean): InjectionResult {
  return { kind: "refused", rejection, stillAsked };
}
