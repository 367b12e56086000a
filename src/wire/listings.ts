/** What the hub tells clients about its prompts, its sessions and itself: the `data` of `--json`, field by field. */
import * as v from "valibot";
import { PROMPT_STATES } from "../model/lifecycle.js";
import { CHOICE_INTENTS, CONFIDENCES, PROMPT_TYPES, SAFETY_CLASSES } from "../model/prompt.js";
import { TOOL_STATES } from "../model/tool-state.js";
import { cut, hidden } from "./prompt-event.js";

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** ISO 8601, UTC. */
const instant = v.string();

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
  /** Redacted and safe to show. */
  content: v.strictObject({
    text,
    cut: v.nullable(cut),
    /** What people do not see of question, content and choices; null: nothing. */
    hidden: v.nullable(hidden),
    call: v.optional(v.strictObject({ tool: text, input: v.unknown(), cwd: v.optional(text) })),
  }),
  /** `letter`: what it is called on cards, where the choices are no rows of the dialog on the screen. */
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
  expiresAt: v.nullable(instant),
  /** What is answered then where nobody did. */
  expiryAnswer: v.optional(text),
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
  /** What the tool said before it became idle, redacted and safe to show; null while it works, and where nothing is known. */
  said: v.nullable(text),
  /** Whether its worker is connected to the hub now. */
  connected: v.boolean(),
  openPrompts: count,
  /** Session that this one runs inside of. */
  inside: v.nullable(text),
  startedAt: instant,
  endedAt: v.nullable(instant),
  /** Once it is over. "lost": its worker is gone or too old to be understood; what became of the tool nobody knows. */
  ending: v.optional(v.picklist(["closed", "lost"])),
});
export type ListedSession = v.InferOutput<typeof listedSession>;

/** A prompt that is not open any more although nobody is known to have answered it. */
const unansweredPrompt = v.strictObject({ shortId: text, state: v.picklist(PROMPT_STATES) });

/** The hub about itself, as `atlasbridge status --json` prints it. */
export const hubStatus = v.strictObject({
  pid: count,
  version: text,
  protocol: count,
  startedAt: instant,
  sessions: count,
  openPrompts: count,
  /** Ended without a proved answer, in sessions that live: each may still wait at its terminal. The oldest first. */
  unanswered: v.array(unansweredPrompt),
  paused: v.boolean(),
  /** All that lies in the data directory. Full: no new question is taken, and answers still are. */
  disk: v.strictObject({ usedBytes: count, limitBytes: count, full: v.boolean() }),
  channels: v.array(
    v.strictObject({
      id: text,
      state: v.picklist(["starting", "connected", "stopped", "degraded", "failed"]),
      reason: v.nullable(text),
      action: v.nullable(text),
      /** When it reported that last, an instant; null before its first report. */
      since: v.nullable(instant),
      /** Names of the people who may answer there. */
      approvers: v.array(text),
      /** Chats that take nothing, and why. */
      refused: v.array(v.strictObject({ place: text, reason: text })),
    }),
  ),
  /** Why a question reaches nobody away from this machine; null while it reaches somebody. */
  unreached: v.nullable(text),
});
export type HubStatus = v.InferOutput<typeof hubStatus>;
