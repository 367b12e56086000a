/** The calls with which both ends of a connection authenticate each other, and report impostors. */
import * as v from "valibot";
import { call, nothing } from "./call.js";
import { id, index, text } from "./prompt-event.js";

export const DOOR_CALLS = {
  /**
   * The first message of every caller, and the one call that never changes incompatibly (unknown fields are ignored here
   * alone), so that any two versions can compare themselves. The hub supports the protocols `oldest` to `protocol`.
   */
  "hub.hello": call(
    v.looseObject({ protocol: index, version: text, challenge: v.optional(id) }),
    v.looseObject({
      protocol: index,
      oldest: index,
      version: text,
      pid: index,
      /** The hub's challenge, to be answered with `hub.prove`, and its proof for the caller's challenge (`hub-proof.ts`). */
      challenge: v.optional(id),
      proof: v.optional(id),
    }),
  ),
  /** The caller's proof. Before it, only `hub.hello` is answered. */
  "hub.prove": call(v.strictObject({ proof: id }), nothing),
  /** Reports a refused attempt to start a hub from inside a session, to be recorded. */
  "hub.start_refused": call(nothing, nothing),
  /** Reports an impostor found in the hub's place, to be recorded. */
  "hub.suspect": call(v.strictObject({ socket: text, pid: v.nullable(index), problem: text }), nothing),
} as const;
