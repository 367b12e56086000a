/** A server of sessions that we have joined, as a run beside its tool's interface does: what is asked there, and the answers to it. */
import { expect, vi } from "vitest";
import type { Clock } from "../../../src/model/clock.js";
import { systemClock } from "../../../src/observe/clock.js";
import type { CallRequest } from "../../../src/worker/prompts/call-ask.js";
import { isDecision } from "../../../src/worker/prompts/hook-decision.js";
import type { WaitingCall, WhyGone } from "../../../src/worker/prompts/waiting-call.js";
import { OpenCodeAttachment } from "../../../src/worker/integrations/opencode/attachment.js";

export const LOGIN = { user: "me", password: "s3cret-of-this-run" };
export const WAIT = { timeout: 30_000 };

export interface Heard {
  readonly call: WaitingCall;
  readonly ask: CallRequest;
  readonly gone: WhyGone[];
}

export interface JoinedServer {
  readonly heard: Heard[];
  readonly asked: (count: number) => Promise<Heard>;
  readonly close: () => void;
}

/** `leader`: the tool's process, asked for each time that its server is looked for. */
export function joinServer(
  leader: () => number | null,
  { cwd = "/srv/proj", clock = systemClock }: { readonly cwd?: string; readonly clock?: Clock } = {},
): JoinedServer {
  const heard: Heard[] = [];
  const join = new OpenCodeAttachment(
    {
      clock,
      cwd,
      leader,
      declared: () => undefined,
      onTurnOver: () => undefined,
      onRequest: (call, ask) => {
        const gone: WhyGone[] = [];
        call.onGone((why) => gone.push(why));
        heard.push({ call, ask, gone });
      },
    },
    { login: LOGIN, drawn: {} },
  );
  return {
    heard,
    asked: (count) => vi.waitFor(() => heard[count - 1] ?? expect.fail("nothing was asked"), WAIT),
    close: () => join.close(),
  };
}

export async function answer({ call, ask }: Heard, value: string, text?: string): Promise<string> {
  const decided = ask.decide({ value, ...(text !== undefined && { text }) });
  if (!isDecision(decided)) throw new Error("it is no answer");
  return call.answer(decided.json);
}

const ends: (() => void | Promise<void>)[] = [];

/** To be done when the test is over. */
export function atEnd(end: () => void | Promise<void>): void {
  ends.push(end);
}

export async function endAll(): Promise<void> {
  for (const end of ends.splice(0)) await end();
}
