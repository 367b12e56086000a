/** Schemas shared by several messages: a session's capabilities, an answer for a worker, its result. */
import * as v from "valibot";
import { PERMISSION_MODES } from "../model/permission-mode.js";
import { ANSWER_ROUTES, RECEIPT_OUTCOMES, RECEIPT_PROOFS } from "../model/answer/receipt.js";
import { AGENT_TEXT_MAX, NEWLINE_POLICIES } from "../model/answer/reply.js";
import { SAID_LENGTH_MAX } from "../model/tool-state.js";
import { SNAPSHOT_STATES } from "../sdk/adapter.js";
import { id, index, text } from "./prompt-event.js";

/** The tool's last message, redacted; absent: nothing new is known. */
export const said = v.pipe(text, v.maxLength(SAID_LENGTH_MAX));

/** The text of a tool's notice. */
export const noticeText = v.pipe(text, v.minLength(1), v.maxLength(AGENT_TEXT_MAX));

/** `rule`: the user's own pattern, or the mode. The permitted call is recorded as a hash. */
export const permissionDecided = v.strictObject({
  mode: v.picklist(PERMISSION_MODES),
  rule: v.pipe(text, v.maxLength(600)),
  allowed: v.boolean(),
  contentHash: id,
});

export const capabilities = v.strictObject({
  chatTurns: v.boolean(),
  screenView: v.boolean(),
  underTool: v.optional(v.boolean()),
  console: v.optional(v.boolean()),
  asksLittle: v.optional(v.boolean()),
});

/** See `SessionSnapshot`; an adapter may add fields specific to its kind of tool. */
export const snapshot = v.looseObject({
  sessionId: id,
  tool: text,
  pid: v.nullable(index),
  state: v.picklist(SNAPSHOT_STATES),
  uptimeSeconds: v.number(),
  promptCount: index,
  lastOutputAgoSeconds: v.number(),
  ptyAlive: v.boolean(),
  waitsForInput: v.boolean(),
  /** See `SESSION_TROUBLES`. Absent: its worker does not check. */
  troubles: v.optional(v.pipe(v.array(text), v.readonly())),
});

export const receipt = v.strictObject({
  outcome: v.picklist(RECEIPT_OUTCOMES),
  proof: v.optional(v.nullable(v.picklist(RECEIPT_PROOFS)), null),
  route: v.picklist(ANSWER_ROUTES),
  evidence: text,
  bytesWritten: index,
  fingerprintBefore: v.nullable(id),
  fingerprintAfter: v.nullable(id),
  endsTool: v.boolean(),
  stop: v.optional(v.strictObject({ stopped: v.boolean(), evidence: text })),
  change: v.optional(v.nullable(text)),
});

/** Channels that can be reached with a prompt now; if none, why. */
export const reach = v.strictObject({
  channels: v.array(text),
  problem: v.nullable(text),
  /** A channel has not reported yet whether it reaches anybody. */
  isPending: v.boolean(),
  /** Open prompts of which nobody who was reached may answer, by id, with the reason. Since protocol 7; absent: none. */
  unreachedPrompts: v.optional(v.record(id, text)),
});
export const rejection = v.strictObject({ code: id, text });

/** `draft`: the text in the tool's input box, if that is the reason; a person's permission to clear it names the hash. */
export const taskResult = v.strictObject({
  receipt: v.nullable(receipt),
  rejection: v.nullable(rejection),
  draft: v.optional(v.strictObject({ text, hash: id })),
});

export const reply = v.strictObject({
  replyId: id,
  promptId: id,
  sessionId: id,
  value: text,
  text: v.optional(text),
  nonce: id,
  channelIdentity: id,
  timestamp: text,
  newlinePolicy: v.picklist(NEWLINE_POLICIES),
});
