/**
 * Calls about a session's console: commands that are typed into a live shell, interpreter or debugger. Only people may make them, and
 * only while the session's own person has the console open.
 */
import * as v from "valibot";
import { call, defineWaitingCall } from "../call.js";
import { id, index, text } from "../prompt-event.js";

/** A command may be a block, but no file. */
const command = v.pipe(text, v.minLength(1), v.maxLength(1024 * 1024));
/** An hour: a caller that waits longer asks again. */
const timeoutMs = v.pipe(index, v.maxValue(3_600_000));

/** A button shows one word or two. */
export const OFFER_LABEL_MAX = 20;
/** A button runs a command that people know by its label; a longer one is a script. */
export const OFFER_COMMAND_MAX = 200;
/** More buttons would hide the result on a phone. */
export const OFFERS_MAX = 8;
const offer = v.strictObject({
  label: v.pipe(text, v.minLength(1), v.maxLength(OFFER_LABEL_MAX)),
  command: v.pipe(text, v.minLength(1), v.maxLength(OFFER_COMMAND_MAX)),
});

/** See `CommandResult`. */
export const consoleResult = v.strictObject({
  id: text,
  state: v.picklist(["finished", "running", "ended", "refused"]),
  note: text,
  text,
  cut: index,
  bytes: index,
  file: v.nullable(text),
  /** Holds all bytes of the output, up to 64 MiB; null where they are few. */
  rawFile: v.nullable(text),
  /** Only where it was asked for: all bytes of the output in base64; null where `rawFile` holds them. */
  raw: v.optional(v.nullable(text)),
  styled: v.nullable(text),
  isExact: v.boolean(),
  exitCode: v.nullable(v.number()),
  cwd: v.nullable(text),
  cwdReported: v.boolean(),
  mode: v.nullable(text),
  level: v.nullable(v.number()),
  captures: v.record(text, v.union([text, v.number()])),
  outOfBand: text,
  durationMs: index,
  isIncomplete: v.boolean(),
  isInterrupted: v.boolean(),
  isProven: v.boolean(),
  /** What a debugger at its prompt offers to do next in `mode`, since protocol 10. Absent: nothing. */
  offers: v.optional(v.pipe(v.array(offer), v.maxLength(OFFERS_MAX))),
});
export type ConsoleResult = v.InferOutput<typeof consoleResult>;

export const CONSOLE_ACTIONS = ["wait", "interrupt", "eof", "suspend", "input", "screen"] as const;

export const run = { commandId: id, command, timeoutMs };
/** `directory`: where the program is taken first, by its own command. `raw`: the bytes of the output are wanted. */
const runOfPerson = { ...run, directory: v.optional(text), raw: v.optional(v.boolean()) };
export const act = {
  input: v.optional(text),
  timeoutMs,
  /** For `wait`: the command, possibly one that has ended. Without it: the one that runs. */
  commandId: v.optional(id),
};
const actOfPerson = {
  ...act,
  action: v.picklist(CONSOLE_ACTIONS),
  /** For input: a repetition of the same id types no further key. */
  actId: v.optional(id),
  /** For `wait`: the bytes of the output are wanted. Agents get none: secrets in them could not be hidden. */
  raw: v.optional(v.boolean()),
};
export const acted = v.strictObject({
  /** Why nothing was done, or null. */
  problem: v.nullable(text),
  /** For `wait`: the result of the command; null if none runs. */
  result: v.nullable(consoleResult),
  /** For `screen`. */
  text: v.nullable(text),
});
const change = v.strictObject({ problem: v.nullable(text) });

/** `agents`: agents may use it, too, each command with the permission of a person or a rule. */
const opening = { open: v.boolean(), agents: v.optional(v.boolean()) };

/** Where its program stands. */
export const consoleStatus = v.strictObject({
  program: text,
  mode: v.nullable(text),
  level: v.nullable(v.number()),
  cwd: v.nullable(text),
  /** It has shown a prompt. */
  ready: v.optional(v.boolean()),
  /** The end of the running command's output; null: none of ours runs. */
  running: v.nullable(text),
});
export type ConsoleStatus = v.InferOutput<typeof consoleStatus>;
const state = v.strictObject({
  open: v.boolean(),
  /** Open to agents as well. */
  agents: v.optional(v.boolean()),
  problem: v.nullable(text),
  status: v.optional(v.nullable(consoleStatus)),
});

/** What people may ask of the hub. */
export const PERSON_HUB_CALLS = {
  "console.set": call(v.strictObject({ sessionId: id, ...opening }), change),
  /** The command is on record before it is typed. */
  "console.run": defineWaitingCall(v.strictObject({ sessionId: id, ...runOfPerson }), consoleResult),
  "console.act": defineWaitingCall(v.strictObject({ sessionId: id, ...actOfPerson }), acted),
} as const;

/** What the hub asks of the session's worker. */
export const CONSOLE_WORKER_CALLS = {
  "console.state": call(v.strictObject({}), state),
  "console.set": call(v.strictObject(opening), change),
  /** `mode`: the command is typed only in this mode of the program (null: it has none), since protocol 10. Absent: in any. */
  "console.run": defineWaitingCall(
    v.strictObject({ ...runOfPerson, mode: v.optional(v.nullable(text)) }),
    consoleResult,
  ),
  "console.act": defineWaitingCall(v.strictObject(actOfPerson), acted),
  /**
   * Resolves once the command has ended; null: the command is unknown. A caller that waits by `console.act` gets the same result
   * nevertheless.
   */
  "console.end": defineWaitingCall(
    v.strictObject({ commandId: id, timeoutMs }),
    v.strictObject({ result: v.nullable(consoleResult) }),
  ),
} as const;
