/** Calls by which the person at this machine answers, or says what may be answered without asking. */
import * as v from "valibot";
import { DEADLINE_MAX_DAYS, UNIT_MS } from "../../model/data/duration.js";
import { GRANT_MS_MAX, GRANT_USES_MAX } from "../../model/grant-terms.js";
import { MODES } from "../../model/policy-mode.js";
import { call, nothing } from "../call.js";
import { id, index, text } from "../prompt-event.js";
import { rejection } from "../shapes.js";

const grantTerms = v.strictObject({
  forMs: v.nullable(v.pipe(index, v.minValue(1), v.maxValue(GRANT_MS_MAX))),
  uses: v.nullable(v.pipe(index, v.minValue(1), v.maxValue(GRANT_USES_MAX))),
  anywhere: v.boolean(),
});

/** Grants, as `atlasbridge grants --json` prints them. */
export const listedGrant = v.strictObject({
  id: text,
  tool: text,
  /** The request, as the card showed it. */
  request: text,
  directory: text,
  sessionId: text,
  /** Also in other sessions of that tool in that directory. */
  anywhere: v.boolean(),
  by: text,
  used: index,
  /** Null: any number of times. */
  uses: v.nullable(index),
  /** ISO 8601, UTC; null: it ends with its session. */
  endsAt: v.nullable(text),
  /** Why it answers nothing now although it has not ended, for people; null or missing: nothing keeps it. */
  hold: v.optional(v.nullable(text)),
});
export type ListedGrant = v.InferOutput<typeof listedGrant>;

/** More at once are not read, only counted. */
export const ANSWERED_TOGETHER_MAX = 20;

const delegatedMs = v.pipe(index, v.minValue(1), v.maxValue(DEADLINE_MAX_DAYS * UNIT_MS.d));

export const ANSWER_CALLS = {
  /** Whether rules answer there. A supervised tool may only turn them off. */
  "session.mode": call(v.strictObject({ sessionId: id, mode: v.picklist(MODES) }), nothing),
  /** Sends a session's held back prompts. `follow`: how many; null: none were held back. Never for a supervised tool. */
  "session.relay": call(
    v.strictObject({ sessionId: id, inside: v.optional(id) }),
    v.strictObject({ follow: v.nullable(index) }),
  ),
  /**
   * Idempotent by replyId: a client that lost the connection repeats it and is not refused as "used". `inside`: the session
   * whose tool the client says it belongs to; such a call is refused and recorded, even if no hub could detect it.
   */
  "prompt.answer": call(
    v.strictObject({
      shortId: id,
      /** Null: the safe default. */
      value: v.nullable(text),
      text: v.optional(text),
      /** The person knows that a part of the prompt is hidden and approves nevertheless. */
      acceptHidden: v.optional(v.boolean()),
      /** The two digits that a rule wants with a yes. */
      number: v.optional(index),
      /** Exactly this is allowed in advance as well. */
      grant: v.optional(grantTerms),
      replyId: v.optional(id),
      inside: v.optional(id),
    }),
    v.strictObject({
      claimed: v.boolean(),
      promptId: v.nullable(id),
      rejection: v.nullable(rejection),
      /** The grant that was made with the answer. */
      grant: v.optional(id),
    }),
  ),
  /** The same request, asked several times: each that still is gets its own claim. Null: the safe default. `rejection` null: claimed. */
  "prompts.answer": call(
    v.strictObject({
      shortIds: v.pipe(v.array(id), v.minLength(1), v.maxLength(ANSWERED_TOGETHER_MAX)),
      value: v.nullable(text),
      inside: v.optional(id),
    }),
    v.array(v.strictObject({ shortId: id, promptId: v.nullable(id), rejection: v.nullable(rejection) })),
  ),
  /** The number that a yes to it needs, for the local user only. `number` null: see `problem`. */
  "prompt.number": call(
    v.strictObject({ shortId: id, inside: v.optional(id) }),
    v.strictObject({ number: v.nullable(index), problem: v.nullable(text) }),
  ),
  /** Oldest first. */
  "grants.list": call(nothing, v.array(listedGrant)),
  /** Null: all. `ended`: the ids of those that were ended. */
  "grants.revoke": call(v.strictObject({ grant: v.nullable(id) }), v.strictObject({ ended: v.array(id) })),
  /** Who answers in whose place. `endsAt`: ISO 8601, UTC. */
  "delegations.list": call(
    nothing,
    v.array(
      v.strictObject({
        from: text,
        to: text,
        endsAt: text,
        /** Why it lets nobody answer now. */
        hold: v.optional(text),
      }),
    ),
  ),
  /** `from`: a name of `people`; absent: the local user's, or the only approver. Never for a supervised tool. */
  "delegations.make": call(
    v.strictObject({ from: v.optional(text), to: text, forMs: delegatedMs, inside: v.optional(id) }),
    v.strictObject({ from: text, to: text }),
  ),
  "delegations.end": call(
    v.strictObject({ from: v.optional(text), inside: v.optional(id) }),
    v.strictObject({ from: text, ended: v.boolean() }),
  ),
} as const;
