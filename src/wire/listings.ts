/** What the hub reports to clients about prompts, sessions and itself: the `data` of `--json`, field by field. */
import * as v from "valibot";
import { PROMPT_STATES } from "../model/lifecycle.js";
import { CHOICE_INTENTS, CONFIDENCES, PROMPT_TYPES, SAFETY_CLASSES } from "../model/prompt.js";
import { TOOL_STATES } from "../model/tool-state.js";
import { cut, hidden } from "./prompt-event.js";

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** ISO 8601, UTC. */
const instant = v.string();
/** Names the instants beside it from which no age follows: the wall clock was set since then. */
const clockSetSince = v.optional(v.array(text));

/** One prompt as `atlasbridge prompts --json` prints it. Indexes are 1-based. */
export const listedPrompt = v.strictObject({
  shortId: text,
  promptId: text,
  sessionId: text,
  tool: text,
  type: v.picklist(PROMPT_TYPES),
  safetyClass: v.picklist(SAFETY_CLASSES),
  confidence: v.picklist(CONFIDENCES),
  excerpt: text,
  /** Redacted and sanitized. */
  content: v.strictObject({
    text,
    cut: v.nullable(cut),
    /** The hidden part of question, content and choices; null: none. */
    hidden: v.nullable(hidden),
    call: v.optional(v.strictObject({ tool: text, input: v.unknown(), cwd: v.optional(text) })),
  }),
  /** `letter`: the choice's name on cards if the choices are not rows of the dialog on the screen. */
  choices: v.array(
    v.strictObject({
      index: count,
      letter: v.optional(text),
      label: text,
      intent: v.picklist(CHOICE_INTENTS),
    }),
  ),
  defaultChoice: v.nullable(count),
  state: v.picklist(PROMPT_STATES),
  createdAt: instant,
  clockSetSince,
  expiresAt: v.nullable(instant),
  /** The answer given at the deadline if nobody answers. */
  expiryAnswer: v.optional(text),
  /** The prompt is refused at `expiresAt` if nobody answers: its tool gets a No. */
  refusedLate: v.optional(v.boolean()),
  /** What the policy says of it. */
  policyNote: v.optional(text),
  /** Open prompts that are the same request, this one included: `value` is their yes to just this. */
  alike: v.optional(v.strictObject({ value: text, shortIds: v.array(text) })),
  /** What routes and quiet hours see of it: its class, and `destructive`. */
  classes: v.optional(v.array(text)),
  /** Why it reaches nobody over a channel who may answer it, although its session's people are reached. */
  unreached: v.optional(text),
  /** Its terminal shows a number that a yes from a chat needs. */
  showsNumber: v.optional(v.boolean()),
});
export type ListedPrompt = v.InferOutput<typeof listedPrompt>;

/** One session as `atlasbridge sessions --json` prints it. */
export const listedSession = v.strictObject({
  sessionId: text,
  tool: text,
  label: v.nullable(text),
  cwd: text,
  pid: count,
  state: v.picklist(TOOL_STATES),
  /** The tool's last message before it became idle, redacted and sanitized; null while it works or if unknown. */
  said: v.nullable(text),
  /** Whether its worker is connected to the hub now. */
  connected: v.boolean(),
  openPrompts: count,
  /** True while its prompts are held back from chats and rules because it asked too often. */
  heldBack: v.optional(v.boolean()),
  /** True if the agent itself asks, by a call: no terminal shows its prompts. */
  underTool: v.optional(v.boolean()),
  /** The session that this one runs inside. */
  inside: v.nullable(text),
  startedAt: instant,
  endedAt: v.nullable(instant),
  clockSetSince,
  /** Present once it has ended. "lost": its worker is gone; the tool's fate is unknown. */
  ending: v.optional(v.picklist(["closed", "lost"])),
});
export type ListedSession = v.InferOutput<typeof listedSession>;

/** A prompt that is no longer open although no answer is confirmed. */
const unansweredPrompt = v.strictObject({
  shortId: text,
  state: v.picklist(PROMPT_STATES),
  underTool: v.optional(v.boolean()),
});

/** The hub's status as `atlasbridge status --json` prints it. */
export const hubStatus = v.strictObject({
  pid: count,
  version: text,
  protocol: count,
  startedAt: instant,
  clockSetSince,
  sessions: count,
  openPrompts: count,
  /** Prompts that ended without a confirmed answer in open sessions: each may still wait at its terminal. Oldest first. */
  unanswered: v.array(unansweredPrompt),
  paused: v.boolean(),
  /** Everything in the data directory. If full, no new prompts are accepted, but answers are. */
  disk: v.strictObject({ usedBytes: count, limitBytes: count, full: v.boolean() }),
  channels: v.array(
    v.strictObject({
      id: text,
      state: v.picklist(["starting", "connected", "stopped", "degraded", "failed"]),
      reason: v.nullable(text),
      action: v.nullable(text),
      /** Instant of its last report; null before the first one. */
      since: v.nullable(instant),
      clockSetSince,
      /** Names of the people who may answer there. */
      approvers: v.array(text),
      /** Chats that refuse messages, and why. */
      refused: v.array(v.strictObject({ place: text, reason: text })),
    }),
  ),
  /** Why prompts reach nobody away from this machine; null while they do. */
  unreached: v.nullable(text),
  /** Open prompts of connected sessions that reach nobody away from this machine who may answer them; only the first are named. */
  unreachedPrompts: v.optional(v.strictObject({ count, shortIds: v.array(text) })),
  /** Digest of the files of configuration and rules as the hub read them last. */
  configDigest: v.optional(text),
  /** Why the last reload was refused, with file, line and column: what the hub read before still holds. Absent: it was not. */
  reloadProblem: v.optional(text),
});
export type HubStatus = v.InferOutput<typeof hubStatus>;
