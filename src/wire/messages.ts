/**
 * Every message between worker, clients and hub: JSON-RPC 2.0, one JSON object a line (ADR 5). Strict within a version: an
 * unknown field is an error. Every state-changing message is a request, acknowledged, and may be sent again after a reconnect.
 */
import * as v from "valibot";
import { LEVELS_MAX } from "../model/data/nesting.js";
import { ANSWER_ROUTES } from "../model/answer/receipt.js";
import { PROMPT_STATES } from "../model/lifecycle.js";
import { TOOL_STATES } from "../model/tool-state.js";
import { STANDING, WITHDRAW_REASONS } from "../sdk/adapter.js";
import { call, nothing, waitingCall } from "./call.js";
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
} from "./shapes.js";

/** Rises with every incompatible change; the hub speaks this one and the one before. */
export const PROTOCOL_VERSION = 2;
export const OLDEST_PROTOCOL_VERSION = 2;

/** A prompt may carry a whole diff; 8 MiB is far above any dialog and bounds what one peer can make us hold. */
export const LINE_BYTES_MAX = 8 * 1024 * 1024;
/** A question carries what a tool said some levels further down. */
export const MESSAGE_LEVELS_MAX = LEVELS_MAX + 20;

export const LEAVING_REASONS = ["stopped", "replaced"] as const;

/** Where a worker has written it; `toldAtMs`: something private may still be read at that instant. */
const capturedScenario = v.strictObject({
  scenarioFile: text,
  recordingFile: text,
  toldAtMs: v.nullable(v.number()),
});
/** What became of a channel as the configuration was read again; `closed`: it is configured, and connects to nothing. */
const channelChange = v.strictObject({
  id: text,
  change: v.picklist(["started", "restarted", "stopped", "closed"]),
  reason: v.nullable(text),
});
export type ChannelChange = v.InferOutput<typeof channelChange>;
const listQuery = v.strictObject({ all: v.boolean(), after: v.optional(id) });

/** What a worker or a client may ask of the hub. */
export const HUB_CALLS = {
  ...DOOR_CALLS,
  /**
   * First message of a worker once both sides have proved themselves. Idempotent by session id: a reconnect sends it again. The
   * process that it names must be the one that speaks, and a session is opened again by its own process only.
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
      /** Kernel start time of that pid, so that a recycled pid is not taken for the session; null where unknown. */
      pidStartTime: v.nullable(text),
      startedAt: index,
      /** Session that this one runs inside of (nested `run`), from the inherited mark. */
      inside: v.nullable(id),
      capabilities,
    }),
    v.strictObject({
      protocol: index,
      version: text,
      places: v.array(text),
      /** The hub is older than this worker's program and about to end: the worker starts the next one. */
      draining: v.boolean(),
    }),
  ),
  /** Stores a prompt. Idempotent by idempotencyKey: the answer names the stored prompt. */
  "prompt.raise": call(
    promptEvent,
    v.strictObject({ promptId: id, shortId: id, state: id, nonceHash: v.nullable(id) }),
  ),
  "prompt.withdraw": call(
    v.strictObject({ promptId: id, reason: v.picklist(WITHDRAW_REASONS) }),
    v.strictObject({ state: id }),
  ),
  /** The answer was not put in. Back to pending with a new nonce if it is still asked. */
  "reply.refuse": call(
    v.strictObject({ promptId: id, replyId: id, rejection, stillAsked: v.boolean() }),
    v.strictObject({ state: id, nonceHash: v.nullable(id) }),
  ),
  /** Commits `injecting` and its audit row; nothing is written before the acknowledgement. */
  "injection.begin": call(
    v.strictObject({
      promptId: id,
      replyId: id,
      route: v.picklist(ANSWER_ROUTES),
      fingerprint: id,
      /** The plan foresees that the tool ends with this answer ("No, exit"). */
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
  /** Somebody typed at the session's terminal; told with a question and, a few times a second at most, while one is open. */
  "session.typed": call(v.strictObject({ agoMs: index }), nothing),
  /** The tool says something to its people. Idempotent by noticeId. `places`: where it goes; 0: to nobody. */
  "session.tell": call(v.strictObject({ noticeId: id, text: noticeText }), v.strictObject({ places: index })),
  /** A permission was answered by the mode that the session was started in, or is about to be. */
  "session.decided": call(permissionDecided, nothing),
  "session.close": call(
    v.strictObject({ sessionId: id, exitCode: v.nullable(v.number()), signal: v.nullable(text) }),
    nothing,
  ),
  /** Commits that a task is being typed, and its audit row; nothing of it is typed before the acknowledgement. */
  "task.begin": call(v.strictObject({ taskId: id }), nothing),
  /**
   * Asks the hub to make way, for a newer program or for a service manager's hub. It finishes the answers under way and ends if it
   * is older than `version`, or as old and nobody's service.
   */
  "hub.yield": call(
    v.strictObject({ version: text, service: v.boolean() }),
    v.strictObject({ yields: v.boolean() }),
  ),
  "hub.status": call(nothing, hubStatus),
  "hub.stop": call(nothing, nothing),
  /** The kill switch, by the local user. Only people may take it back: a supervised tool may pause, never resume. */
  "hub.pause": call(v.strictObject({ paused: v.boolean() }), nothing),
  /** `changed`: which keys of the configuration are not as they were. */
  "hub.reload": call(nothing, v.strictObject({ changed: v.array(text), channels: v.array(channelChange) })),
  /** One page, oldest first: what follows the item with the id `after`. An empty one ends the list. */
  "prompts.list": call(listQuery, v.array(listedPrompt)),
  "sessions.list": call(listQuery, v.array(listedSession)),
  /** What its worker knows of a session now; see `SessionSnapshot`. */
  "session.snapshot": call(v.strictObject({ sessionId: id }), snapshot),
  /** Passed on to the session's worker, which writes the draft of a scenario into the user's own files. */
  "session.capture": call(v.strictObject({ sessionId: id }), capturedScenario),
  /** What else a legal answer to it may be, for those who let people put one together; null where nobody knows the prompt. */
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
   * Idempotent by replyId: a client that lost the connection asks again with the same one and is not told "used". `inside`: the
   * session whose tool the client says to be a part of; it is turned away on record, also where no hub could see that by itself.
   */
  "prompt.answer": call(
    v.strictObject({
      shortId: id,
      /** Null: the safe default. */
      value: v.nullable(text),
      text: v.optional(text),
      /** Its person knows that a part of the question is hidden, and approves all the same. */
      acceptHidden: v.optional(v.boolean()),
      replyId: v.optional(id),
      inside: v.optional(id),
    }),
    v.strictObject({ claimed: v.boolean(), promptId: v.nullable(id), rejection: v.nullable(rejection) }),
  ),
  /**
   * Resolves as soon as no answer is under way: at once in a final state, and with `pending` once the claimed answer was refused
   * and the question stands again. `text` is the outcome in one line for people. `again`: it may still stand, and can be asked again.
   */
  "prompt.wait": waitingCall(
    v.strictObject({ promptId: id }),
    v.strictObject({ state: v.picklist(PROMPT_STATES), text, again: v.boolean() }),
  ),
  /** Has its worker look at the screen: what still stands is raised as another question. `text`: what was found, or stood in the way. */
  "prompt.again": waitingCall(
    v.strictObject({ promptId: id, inside: v.optional(id) }),
    v.strictObject({ text, again: v.boolean() }),
  ),
  /**
   * Whom a session like this could reach at this moment, and with it the proof that the ledger takes a commit. Errors:
   * ATB_STORE_FAILED where it does not.
   */
  "relay.check": call(v.strictObject({ tool: text, label: v.nullable(text), cwd: text }), reach),
  /** What the worker of an open prompt knows of it without anything hidden, for the local user alone. `text`: null, see `problem`. */
  "prompt.reveal": waitingCall(
    v.strictObject({ shortId: id, inside: v.optional(id) }),
    v.strictObject({ text: v.nullable(text), problem: v.nullable(text) }),
  ),
  /** From now on `watch.event` notifications come on this connection. */
  "watch.subscribe": call(nothing, nothing),
  /**
   * A person confirms that the channel's tokens may go to `address`, as the configuration names it now. Null: only says what it is; null in
   * the answer: the service's own.
   */
  "channel.trust": call(
    v.strictObject({ channel: id, address: v.nullable(text) }),
    v.strictObject({ address: v.nullable(text) }),
  ),
  "pairing.begin": call(v.strictObject({ channel: id }), v.strictObject({ code: text })),
  /** Resolves when somebody sent the code, or refuses at its expiry. */
  "pairing.wait": waitingCall(
    v.strictObject({ channel: id, code: text }),
    v.strictObject({ identity: id, displayName: text, place: id }),
  ),
} as const;

/** Only the connection that opened a session may make these, and only about that session. */
export const SESSION_METHODS = [
  "prompt.raise",
  "prompt.withdraw",
  "reply.refuse",
  "injection.begin",
  "injection.end",
  "session.state",
  "session.typed",
  "session.tell",
  "session.decided",
  "session.close",
  "task.begin",
] as const satisfies readonly (keyof typeof HUB_CALLS)[];

/** What the hub may ask of a worker. */
export const WORKER_CALLS = {
  /** A claimed answer. Idempotent by replyId. The acknowledgement only says that the worker has it. */
  "reply.deliver": call(reply, v.strictObject({ accepted: v.boolean() })),
  /** The prompt has a new nonce (hash), e.g. after a restart of the hub. */
  "nonce.update": call(v.strictObject({ promptId: id, nonceHash: id }), nothing),
  /**
   * What the tool is to do next, into its empty input box or not at all. Idempotent by taskId: told again, the worker answers what it
   * answered first. Resolves with what became of it.
   */
  "task.submit": waitingCall(
    v.strictObject({ taskId: id, text }),
    v.strictObject({ receipt: v.nullable(receipt), rejection: v.nullable(rejection) }),
  ),
  "session.snapshot": call(nothing, snapshot),
  /** The screen, redacted by whoever shows it; and a stop of what the tool does. `problem`: why not. */
  "session.screen": call(
    nothing,
    v.strictObject({
      text: v.nullable(text),
      problem: v.nullable(text),
      cells: v.optional(v.nullable(cells)),
    }),
  ),
  /** Whom the session's questions reach: told when it connects and whenever that changes. */
  "session.reach": call(reach, nothing),
  "session.interrupt": call(nothing, v.strictObject({ problem: v.nullable(text) })),
  /**
   * Whether this question still stands on the live screen, or its call still waits: then it is raised as another one (`anew`), unless
   * it was since (`already`).
   */
  "prompt.again": call(
    v.strictObject({ promptId: id, fingerprint: id }),
    v.strictObject({ stands: v.picklist(STANDING) }),
  ),
  /** An open prompt without anything hidden. The hub passes it on to the local user and keeps nothing of it; null: not known. */
  "prompt.reveal": call(v.strictObject({ promptId: id }), v.strictObject({ text: v.nullable(text) })),
  /** Paused: of the answers that have begun nothing more is written. */
  "answers.halt": call(nothing, nothing),
  /** Keep what the session showed lately as the draft of a scenario. */
  "session.capture": call(nothing, capturedScenario),
  /**
   * The hub ends on purpose. `stopped`: the worker waits for it to come back and does not start it again itself. `replaced`: whoever
   * asked for that starts the next one; the worker does so only if none comes up.
   */
  "hub.leaving": call(v.strictObject({ reason: v.picklist(LEAVING_REASONS) }), nothing),
} as const;

/** Notifications of the hub to watching clients. */
export const CLIENT_NOTIFICATIONS = {
  /** Something changed; the payload is what the local channel broadcast. A client that missed one asks `prompts.list`. */
  "watch.event": v.strictObject({ payload: v.unknown() }),
} as const;

export type HubCalls = typeof HUB_CALLS;
export type PromptDetails = NonNullable<ResultOf<HubCalls, "prompt.details">>;
export type WorkerCalls = typeof WORKER_CALLS;
export type ClientNotifications = typeof CLIENT_NOTIFICATIONS;
type Call = { params: v.GenericSchema; result: v.GenericSchema; waits?: boolean };
export type CallTable = Readonly<Record<string, Call>>;
export type ParamsOf<T extends CallTable, M extends keyof T> = v.InferOutput<T[M]["params"]>;
/** What a caller writes: as `ParamsOf`, before defaults. */
export type ParamsFor<T extends CallTable, M extends keyof T> = v.InferInput<T[M]["params"]>;
export type ResultOf<T extends CallTable, M extends keyof T> = v.InferOutput<T[M]["result"]>;
