/** Defines a call in the tables of messages: its parameters and its result. */
import * as v from "valibot";

export const nothing = v.strictObject({});

export function call<P extends v.GenericSchema, R extends v.GenericSchema>(
  params: P,
  result: R,
): { params: P; result: R } {
  return { params, result };
}

/** A call that may take as long as a human needs: it has no time limit, and later calls on the connection do not wait for it. */
export function defineWaitingCall<P extends v.GenericSchema, R extends v.GenericSchema>(
  params: P,
  result: R,
): { params: P; result: R; waits: true } {
  return { params, result, waits: true };
}
