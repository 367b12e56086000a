/**
 * Calls of agents about the consoles of other sessions. Only a session's own connection may make them, only to a console that its person
 * has opened to agents, and whatever types something names the prompt by which it was allowed.
 */
import * as v from "valibot";
import { call, defineWaitingCall } from "../call.js";
import { id, text } from "../prompt-event.js";
import { PERSON_HUB_CALLS, act, acted, consoleResult, consoleStatus, run } from "./console-calls.js";

const listedConsole = v.strictObject({
  consoleId: id,
  tool: text,
  label: v.nullable(text),
  cwd: text,
  status: v.nullable(consoleStatus),
});
export type ListedConsole = v.InferOutput<typeof listedConsole>;

/** The other actions of a console end or stop what a person has started, and nobody is asked before. */
const AGENT_ACTIONS = ["wait", "interrupt", "input", "screen"] as const;

const AGENT_HUB_CALLS = {
  /** Those that are open to agents. */
  "agent.consoles": call(v.strictObject({}), v.strictObject({ consoles: v.array(listedConsole) })),
  /** Before an agent starts a session. `ask`: a person must be asked as well. */
  "agent.start": call(
    v.strictObject({ program: text, hasArguments: v.boolean() }),
    v.strictObject({ ask: v.boolean() }),
  ),
  "agent.run": defineWaitingCall(v.strictObject({ consoleId: id, promptId: id, ...run }), consoleResult),
  /** `promptId`: of `input` alone. */
  "agent.act": defineWaitingCall(
    v.strictObject({ consoleId: id, promptId: v.optional(id), action: v.picklist(AGENT_ACTIONS), ...act }),
    acted,
  ),
} as const;

export const AGENT_METHODS = ["agent.consoles", "agent.start", "agent.run", "agent.act"] as const;

/** What people and agents may ask of the hub about consoles. */
export const CONSOLE_HUB_CALLS = { ...PERSON_HUB_CALLS, ...AGENT_HUB_CALLS } as const;
