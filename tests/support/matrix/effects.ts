/** What a choice can bring about, to put the table together from. */
import { expect } from "vitest";
import { eventually } from "../hub-home.js";
import { MAKE_FILE } from "../fake-model/scenarios.js";
import type { Effect } from "./matrix.js";
import { REASON, type ToolSession } from "./tool-session.js";

export { MAKE_FILE, REASON };

/** In what the tools tell their models of a call that was not made. */
const REFUSED =
  /reject|refus|declin|denied|deny|cancel|abort|interrupt|not (?:approv|allow)|doesn't want|did not want/i;

export function allowed(...checks: readonly Effect[]): Effect {
  return async (session) => {
    await session.finished();
    await all(session, checks);
  };
}

export function remembered(...checks: readonly Effect[]): Effect {
  return async (session) => {
    await session.finished();
    const cards = session.run.cards.length;
    await session.again();
    expect(session.run.cards.length).toBe(cards);
    await all(session, checks);
  };
}

export function denied(...checks: readonly Effect[]): Effect {
  return async (session) => {
    await session.talkOn();
    await all(session, [...checks, refused]);
  };
}

export function deniedFor(...checks: readonly Effect[]): Effect {
  return async (session) => {
    await understood(session);
    await all(session, [...checks, refused]);
  };
}

/** The call was not made; the model was told so and why in the same turn, and went on. */
export function refusedFor(...checks: readonly Effect[]): Effect {
  return async (session) => {
    await session.finished();
    expect(session.hasHeard(REASON)).toBe(true);
    await all(session, [...checks, refused]);
  };
}

/** The call was not made, and the tool took it out of the conversation: all that the model hears is what comes next. */
export function dropped(...checks: readonly Effect[]): Effect {
  return async (session) => {
    await session.talkOn();
    await all(session, [...checks, silent]);
  };
}

export function droppedFor(...checks: readonly Effect[]): Effect {
  return async (session) => {
    await understood(session);
    await all(session, [...checks, silent]);
  };
}

export function told(words: string | RegExp): Effect {
  return allowed(says(words));
}

export function says(words: string | RegExp): Effect {
  return ({ results }) => expect(results.join("\n")).toMatch(words);
}

async function all(session: ToolSession, checks: readonly Effect[]): Promise<void> {
  for (const check of checks) await check(session);
}

export const ran =
  (times: number): Effect =>
  ({ timesRun }) =>
    expect(timesRun).toBe(times);

export const wrote =
  (file: string, text: string): Effect =>
  async (session) => {
    await eventually(() => session.read(file).includes(text));
  };

export const left =
  (file: string, text: string): Effect =>
  (session) =>
    expect(session.read(file)).not.toContain(text);

export const shows =
  (text: RegExp): Effect =>
  ({ terminal }) =>
    terminal.waitFor(text);

export const ended: Effect = async ({ run }) => {
  await run.exited;
};

/** The model got these words of a person's, or of the tool's own. */
export const heard =
  (words: string): Effect =>
  async (session) => {
    await eventually(() => session.hasHeard(words));
  };

async function understood(session: ToolSession): Promise<void> {
  await session.terminal.waitFor(/Understood\./);
  expect(session.hasHeard(REASON)).toBe(true);
}

const silent: Effect = ({ results }) => expect(results).toEqual([]);

const refused: Effect = ({ results }) => expect(results.at(-1)).toMatch(REFUSED);
