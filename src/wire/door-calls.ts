/** The hub's calls by which both ends of a connection get to know one another, and tell whom they met besides. */
import * as v from "valibot";
import { call, nothing } from "./call.js";
import { id, index, text } from "./prompt-event.js";

export const DOOR_CALLS = {
  /**
   * First message of everybody, and the one call that never changes (fields may be added: unknown ones are ignored here alone), so
   * that any two versions can tell whether they understand each other. The hub speaks the protocols `oldest` to `protocol`.
   */
  "hub.hello": call(
    v.looseObject({ protocol: index, version: text, challenge: v.optional(id) }),
    v.looseObject({
      protocol: index,
      oldest: index,
      version: text,
      pid: index,
      /** Of the hub, to be answered with `hub.prove`; and its proof for the caller's challenge (`hub-proof.ts`). */
      challenge: v.optional(id),
      proof: v.optional(id),
    }),
  ),
  /** The caller's proof. Before it nothing but `hub.hello` is answered. */
  "hub.prove": call(v.strictObject({ proof: id }), nothing),
  /** A hub was to be started from inside a session, and was not: for the record. */
  "hub.start_refused": call(nothing, nothing),
  /** What the caller met in the hub's place and told nothing, for the record. */
  "hub.suspect": call(v.strictObject({ socket: text, pid: v.nullable(index), problem: text }), nothing),
} as const;
