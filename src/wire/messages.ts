/**
 * Every message between worker, clients and hub: JSON-RPC 2.0, one JSON object per line (ADR 5). Strict within a version: an
 * unknown field is an error. Every state-changing message is an acknowledged request that may be repeated after a reconnect.
 */
import * as v from "valibot";
import { JSON_LEVELS_MAX } from "../model/data/nesting.js";
import { ANSWER_ROUTES } from "../model/answer/receipt.js";
import { PROMPT_STATES } from "../model/lifecycle.js";
import { TOOL_STATES } from "../model/tool-state.js";
import { PROMPT_NOTES, REASK_RESULTS, WITHDRAW_REASONS } from "../sdk/adapter.js";
import { call, nothing, defineWaitingCall } from "./call.js";
import { AGENT_METHODS, CONSOLE_HUB_CALLS } from "./calls/agent-calls.js";
import { CONSOLE_WORKER_CALLS } from "./calls/console-calls.js";
import { ANSWER_CALLS } from "./calls/answer-calls.js";
import { DOOR_CALLS } from "./door-calls.js";
import { hubStatus, listedPrompt, listedSession } from "./listings.js";
import { cells } from "./screen-cells.js";
import { choice, constraints, id, index, promptEvent, text } from "./prompt-event.js";
import {
  capabilities,
  noticeText,
  permissionDecided,
  reach,
  receipt,
  rejection,
  reply,
  said,
  snapshot,
  taskResult,
} from "./shapes.js";

/** Increases with every incompatible change. All from `OLDEST_PROTOCOL_VERSION` on are supported. */
export const PROTOCOL_VERSION = 11;
export const OLDEST_PROTOCOL_VERSION = 2;

/** A prompt may contain a whole diff; 8 MiB is far above any dialog and limits what one peer can make us buffer. */
export const LINE_BYTES_MAX = 8 * 1024 * 1024;
/** A prompt carries the tool's own JSON some levels deeper. */
export const MESSAGE_LEVELS_MAX = JSON_LEVELS_MAX + 20;

const LEAVING_REASONS = ["stopped", "replaced"] as const;

/** The file that a worker has written; `toldAtMs`: private data may still be visible at that instant. */
const capturedScenario = v.strictObject({
  scenarioFile: text,
  recordingFile: text,
  toldAtMs: v.nullable(v.number()),
});
/** What a configuration reload did with a channel; `closed`: it is configured but connects to nothing. */
const channelChange = v.strictObject({
  id: text,
  change: v.picklist(["started", "restarted", "stopped", "closed"]),
  reason: v.nullable(text),
});
export type ChannelChange = v.InferOutput<typeof channelChange>;
const listQuery = v.strictObject({ all: v.boolean(), after: v.optional(id) });

/** What a worker or client may request from the hub. */
export const HUB_CALLS = {
  ...DOOR_CALLS,
  ...CONSOLE_HUB_CALLS,
  ...ANSWER_CALLS,
  /**
   * The first message of a worker after both sides have proved themselves. Idempotent by session id: a reconnect repeats it.
   * The process it names must be the caller, and only that process may open the session again.
   */
  "session.open": call(
    v.strictObject({
      protocol: index,
      version: text,
      sessionId: id,
      tool: text,
      label: v.nullable(text),
      cwd: text,
      command: v.array(text),
      pid: index,
      /** Kernel start time of that pid, so that a reused pid is not taken for the session; null if unknown. */
      pidStartTime: v.nullable(text),
      startedAt: index,
      /** The session that this one runs inside (nested `run`), from the inherited mark. */
      inside: v.nullable(id),
      capabilities,
      /** Its prompts of whose end the hub may not know, since protocol 6. Any other that the hub holds to be open is over. */
      prompts: v.optional(v.array(id)),
    }),
    v.strictObject({
      protocol: index,
      version: text,
      places: v.array(text),
      /** The hub is older than this worker's program and about to exit: the worker starts a new one. */
      draining: v.boolean(),
    }),
  ),
  /** Stores a prompt. Idempotent by idempotencyKey: the result names the stored prompt. */
  "prompt.raise": call(
    promptEvent,
    v.strictObject({ promptId: id, shortId: id, state: id, nonceHash: v.nullable(id) }),
  ),
  "prompt.withdraw": call(
    v.strictObject({
      promptId: id,
      reason: v.picklist(WITHDRAW_REASONS),
      /** The choice that was taken at the terminal, since protocol 11. Absent: not proved. */
      answer: v.optional(v.pipe(v.string(), v.minLength(1))),
    }),
    v.strictObject({ state: id }),
  ),
  /** Writes a note on the cards of an open prompt, since protocol 8. */
  "prompt.note": call(
    v.strictObject({ promptId: id, note: v.picklist(PROMPT_NOTES) }),
    v.strictObject({ state: id }),
  ),
  /** The answer was not typed. The prompt returns to pending with a new nonce if it is still open. */
  "reply.refuse": call(
    v.strictObject({ promptId: id, replyId: id, rejection, stillAsked: v.boolean() }),
    v.strictObject({ state: id, nonceHash: v.nullable(id) }),
  ),
  /** Commits `injecting` and its audit row; nothing may be typed before the acknowledgement. */
  "injection.begin": call(
    v.strictObject({
      promptId: id,
      replyId: id,
      route: v.picklist(ANSWER_ROUTES),
      fingerprint: id,
      /** The plan expects the tool to exit after this answer ("No, exit"). */
      endsTool: v.optional(v.boolean()),
    }),
    v.strictObject({ state: id }),
  ),
  "injection.end": call(
    v.strictObject({ promptId: id, replyId: id, receipt }),
    v.strictObject({ state: id }),
  ),
  "session.state": call(
    v.strictObject({ sessionId: id, state: v.picklist(TOOL_STATES), said: v.optional(said) }),
    nothing,
  ),
  /** Somebody typed at the session's terminal. Sent with a prompt and, at most a few times a second, while one is open. */
  "session.typed": call(v.strictObject({ agoMs: index }), nothing),
  /** The tool sends its people a notice. Idempotent by noticeId. `places`: the number of chats; 0: nobody is reached. */
  "session.tell": call(v.strictObject({ noticeId: id, text: noticeText }), v.strictObject({ places: index })),
  /** A permission was, or is about to be, answered by the session's permission mode. */
  "session.decided": call(permissionDecided, nothing),
  /** `resume`: the words after `atlasbridge run` that continue the tool's own session. */
  "session.close": call(
    v.strictObject({
      sessionId: id,
      exitCode: v.nullable(v.number()),
      signal: v.nullable(text),
      resume: v.optional(text),
    }),
    nothing,
  ),
  /** Commits that a task is being typed, with its audit row; nothing may be typed before the acknowledgement. */
  "task.begin": call(v.strictObject({ taskId: id }), nothing),
  /**
   * Asks the hub to yield to a newer program or to a service manager's hub. It finishes current answers and exits if it is
   * older than `version`, or equally old and not run by a service manager.
   */
  "hub.yield": call(
    v.strictObject({ version: text, service: v.boolean() }),
    v.strictObject({ yields: v.boolean() }),
  ),
  "hub.status": call(nothing, hubStatus),
  "hub.stop": call(nothing, nothing),
  /** The kill switch, by the local user. Only people may release it: a supervised tool may pause but never resume. */
  "hub.pause": call(v.strictObject({ paused: v.boolean() }), nothing),
  /** `variables`: the caller's values for `${NAME}` in the configuration. `changed`: the configuration keys with new values. */
  "hub.reload": call(
    v.strictObject({ variables: v.optional(v.record(text, text)) }),
    v.strictObject({ changed: v.array(text), channels: v.array(channelChange) }),
  ),
  /** One page, oldest first: the items after the one with the id `after`. An empty page ends the list. */
  "prompts.list": call(listQuery, v.array(listedPrompt)),
  "sessions.list": call(listQuery, v.array(listedSession)),
  /** The session's current state as its worker knows it; see `SessionSnapshot`. */
  "session.snapshot": call(v.strictObject({ sessionId: id }), snapshot),
  /** Forwarded to the session's worker, which writes the draft of a scenario into the user's own files. */
  "session.capture": call(v.strictObject({ sessionId: id }), capturedScenario),
  /** What other answers are legal, for clients that let people compose one; null if the prompt is unknown. */
  "prompt.details": call(
    v.strictObject({ promptId: id }),
    v.nullable(v.strictObject({ constraints, choices: v.array(choice) })),
  ),
  /** Every audited step of one prompt, in order; instants in ms since 1970. */
  "prompt.history": call(
    v.strictObject({ promptId: id }),
    v.strictObject({ steps: v.array(v.strictObject({ step: text, at: index })) }),
  ),
  /**
   * Resolves when no answer is in progress: at once in a final state, and with `pending` once the claimed answer was refused and the
   * prompt is open again. `text` is the outcome in one line. `again`: it may still be open at the terminal and can be asked again.
   */
  "prompt.wait": defineWaitingCall(
    v.strictObject({ promptId: id }),
    v.strictObject({
      state: v.picklist(PROMPT_STATES),
      text,
      again: v.boolean(),
      /** The channel over which it was answered, `cli` or `auto`; null: over none. */
      over: v.optional(v.nullable(text)),
    }),
  ),
  /** Has its worker check the screen: a prompt that is still there is raised as a new one. `text`: the result or the problem. */
  "prompt.again": defineWaitingCall(
    v.strictObject({ promptId: id, inside: v.optional(id) }),
    v.strictObject({ text, again: v.boolean() }),
  ),
  /**
   * Who can be reached with such a session's prompts now, which also proves that the ledger accepts a commit. Errors:
   * ATB_STORE_FAILED if it does not.
   */
  "relay.check": call(v.strictObject({ tool: text, label: v.nullable(text), cwd: text }), reach),
  /** An open prompt's text with nothing hidden, from its worker, for the local user only. `text` null: see `problem`. */
  "prompt.reveal": defineWaitingCall(
    v.strictObject({ shortId: id, inside: v.optional(id) }),
    v.strictObject({ text: v.nullable(text), problem: v.nullable(text) }),
  ),
  "watch.subscribe": call(nothing, nothing),
  /**
   * A person confirms `address` for the channel's tokens; null only queries it, for tokens of the caller's `variables`. The result is null
   * for the service's own address.
   */
  "channel.trust": call(
    v.strictObject({
      channel: id,
      address: v.nullable(text),
      variables: v.optional(v.record(text, text)),
    }),
    v.strictObject({ address: v.nullable(text), confirmed: v.boolean() }),
  ),
  "pairing.begin": call(v.strictObject({ channel: id }), v.strictObject({ code: text })),
  /** Resolves when somebody sent the code, or fails when it expires. */
  "pairing.wait": defineWaitingCall(
    v.strictObject({ channel: id, code: text }),
    v.strictObject({ identity: id, displayName: text, place: id }),
  ),
} as const;

/** Only the connection that opened a session may make these calls, and only about that session. */
export const SESSION_METHODS = [
  "prompt.raise",
  "prompt.withdraw",
  "prompt.note",
  "reply.refuse",
  "injection.begin",
  "injection.end",
  "session.state",
  "session.typed",
  "session.tell",
  "session.decided",
  "session.close",
  "task.begin",
  ...AGENT_METHODS,
] as const satisfies readonly (keyof typeof HUB_CALLS)[];

/** What the hub may request from a worker. */
export const WORKER_CALLS = {
  ...CONSOLE_WORKER_CALLS,
  /** A claimed answer. Idempotent by replyId. The acknowledgement only means that the worker has it. */
  "reply.deliver": call(reply, v.strictObject({ accepted: v.boolean() })),
  /** The prompt has a new nonce (hash), for example after a restart of the hub. */
  "nonce.update": call(v.strictObject({ promptId: id, nonceHash: id }), nothing),
  /**
   * The tool's next task, typed completely into its empty input box or not at all. Idempotent by taskId: a repeated call
   * returns the first result. Resolves with the result. `clears`: hash of a draft that a person allowed to be cleared away first.
   */
  "task.submit": defineWaitingCall(v.strictObject({ taskId: id, text, clears: v.optional(id) }), taskResult),
  "session.snapshot": call(nothing, snapshot),
  /** The screen, which the hub redacts before it is shown; and interrupting the tool. `problem`: why it failed. */
  "session.screen": call(
    nothing,
    v.strictObject({
      text: v.nullable(text),
      problem: v.nullable(text),
      cells: v.optional(v.nullable(cells)),
    }),
  ),
  /** Who can be reached with the session's prompts: sent when it connects and on every change. */
  "session.reach": call(reach, nothing),
  /** What the window's title shows about open prompts; null: nothing. */
  "session.mark": call(v.strictObject({ text: v.nullable(text) }), nothing),
  "session.interrupt": call(nothing, v.strictObject({ problem: v.nullable(text) })),
  /**
   * Whether this prompt is still on the live screen, or its request still waits: it is then raised as a new one (`anew`), unless
   * it already was (`already`).
   */
  "prompt.again": call(
    v.strictObject({ promptId: id, fingerprint: id }),
    v.strictObject({ stands: v.picklist(REASK_RESULTS) }),
  ),
  /** An open prompt with nothing hidden. The hub forwards it to the local user and stores nothing; null: unknown. */
  "prompt.reveal": call(v.strictObject({ promptId: id }), v.strictObject({ text: v.nullable(text) })),
  /** Paused: answers being typed stop at once. */
  "answers.halt": call(nothing, nothing),
  "session.capture": call(nothing, capturedScenario),
  /**
   * The hub exits on purpose. `stopped`: the worker waits for the next hub without starting one. `replaced`: the requester starts
   * the next one; the worker does so only if none comes up.
   */
  "hub.leaving": call(v.strictObject({ reason: v.picklist(LEAVING_REASONS) }), nothing),
} as const;

export const CLIENT_NOTIFICATIONS = {
  /** Something changed; the payload is what the local channel broadcast. A client that missed one fetches `prompts.list`. */
  "watch.event": v.strictObject({ payload: v.unknown() }),
} as const;

export type HubCalls = typeof HUB_CALLS;
export type PromptDetails = NonNullable<ResultOf<HubCalls, "prompt.details">>;
export type WorkerCalls = typeof WORKER_CALLS;
export type ClientNotifications = typeof CLIENT_NOTIFICATIONS;
type CallDefinition = { params: v.GenericSchema; result: v.GenericSchema; waits?: boolean };
export type CallTable = Readonly<Record<string, CallDefinition>>;
export type ParamsOf<T extends CallTable, M extends keyof T> = v.InferOutput<T[M]["params"]>;
/** What a caller passes: like `ParamsOf`, before defaults are applied. */
export type ParamsFor<T extends CallTable, M extends keyof T> = v.InferInput<T[M]["params"]>;
export type ResultOf<T extends CallTable, M extends keyof T> = v.InferOutput<T[M]["result"]>;
