/** Reads prompts and their answers without the hub, for the commands on rules. */
import { existsSync } from "node:fs";
import { findClockOffset, type ClockStep } from "../../model/clock.js";
import type { PromptState } from "../../model/lifecycle.js";
import type { PromptEvent } from "../../model/prompt.js";
import { readStore } from "./read-store.js";

export interface AskedPrompt {
  readonly shortId: string;
  readonly sessionId: string;
  readonly event: PromptEvent;
  readonly state: PromptState;
  readonly tool: string;
  readonly label: string | null;
  readonly cwd: string;
  readonly askedAt: number;
  readonly answer: {
    readonly value: string;
    readonly identity: string;
    readonly person: string;
    readonly at: number;
    readonly tookMs: number | null;
  } | null;
}

/** The setting that lists how the wall clock was set. */
export const CLOCK_STEPS = { scope: "hub", key: "clock_steps" } as const;

interface Columns extends Omit<AskedPrompt, "event" | "answer"> {
  readonly event: string;
  readonly value: string | null;
  readonly identity: string | null;
  readonly person: string | null;
  readonly at: number | null;
}

const QUERY = `SELECT short_id AS shortId, prompts.session_id AS sessionId, event, prompts.state, tool, label, cwd,
    created_at AS askedAt, value, identity, person, received_at AS at
  FROM prompts JOIN sessions USING (session_id) LEFT JOIN replies ON replies.reply_id = prompts.reply_id
  WHERE created_at >= ? ORDER BY created_at, prompts.rowid`;

const STEPS_QUERY = `SELECT value FROM settings WHERE scope = '${CLOCK_STEPS.scope}' AND key = '${CLOCK_STEPS.key}'`;

/** Oldest first; empty if there is no database. Errors: ATB_STORE_DAMAGED, ATB_STORE_FAILED. */
export async function readAskedPrompts(path: string, since: number): Promise<AskedPrompt[]> {
  if (!existsSync(path)) return [];
  const { rows, steps } = await readStore(path, (sqlite) => ({
    rows: sqlite.prepare<[number], Columns>(QUERY).all(since),
    steps: (JSON.parse(sqlite.prepare<[], string>(STEPS_QUERY).pluck().get() ?? "null") ??
      []) as readonly ClockStep[],
  }));
  return rows.map(({ event, value, identity, person, at, ...rest }) => ({
    ...rest,
    event: JSON.parse(event) as PromptEvent,
    answer:
      value === null || identity === null || person === null || at === null
        ? null
        : { value, identity, person, at, tookMs: findDuration(steps, rest.askedAt, at) },
  }));
}

function findDuration(steps: readonly ClockStep[], from: number, to: number): number | null {
  const isSameClock = steps.length < 2 || findClockOffset(steps, from, to) === findClockOffset(steps, to, to);
  return isSameClock && to >= from ? to - from : null;
}
