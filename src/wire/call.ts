/** How a call stands in the tables of messages: what it takes, and what it gives. */
import * as v from "valibot";

export const nothing = v.strictObject({});

export function call<P extends v.GenericSchema, R extends v.GenericSchema>(
  params: P,
  result: R,
): { params: P; result: R } {
  return { params, result };
}

/** A call that may take as long as a human: it has no time limit, and later calls on the connection do not queue behind it. */
export function waitingCall<P extends v.GenericSchema, R extends v.GenericSchema>(
  params: P,
  result: R,
): { params: P; result: R; waits: true } {
  return { params, result, waits: true };
}
