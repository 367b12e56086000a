/** A server of sessions that we have joined, as a run beside its tool's interface does: what is asked there, and the answers to it. */
import { expect } from "vitest";
import type { Clock } from "../../../src/model/clock.js";
import { systemClock } from "../../../src/observe/clock.js";
import type { PendingRequest } from "../../../src/worker/prompts/pending-request.js";
import type { ReplyPath, RequestEnd } from "../../../src/worker/prompts/reply-path.js";
import { OpenCodeAttachment } from "../../../src/worker/integrations/opencode/attachment.js";
import { waitFor } from "../../support/wait-for.js";

export const LOGIN = { user: "me", password: "s3cret-of-this-run" };
export interface Heard {
  readonly call: ReplyPath;
  readonly ask: PendingRequest;
  readonly gone: RequestEnd[];
}

export interface JoinedServer {
  readonly heard: Heard[];
  readonly asked: (count: number) => Promise<Heard>;
  readonly close: () => void;
}

/** `getLeader`: the tool's process, asked for each time that its server is looked for. */
export function joinServer(
  getLeader: () => number | null,
  { cwd = "/srv/proj", clock = systemClock }: { readonly cwd?: string; readonly clock?: Clock } = {},
): JoinedServer {
  const heard: Heard[] = [];
  const join = new OpenCodeAttachment(
    {
      clock,
      cwd,
      getLeader,
      getDeclared: () => undefined,
      onTurnEnd: () => undefined,
      onRequest: (ask, call) => {
        const gone: RequestEnd[] = [];
        call.onEnd((why) => gone.push(why));
        heard.push({ call, ask, gone });
      },
    },
    { login: LOGIN, drawn: {} },
  );
  return {
    heard,
    asked: (count) => waitFor(() => heard[count - 1] ?? expect.fail("nothing was asked")),
    close: () => join.close(),
  };
}

export async function answer({ call, ask }: Heard, value: string, text?: string): Promise<string> {
  const decided = ask.answer({ value, ...(text !== undefined && { text }) });
  if (!("result" in decided)) throw new Error("it is no answer");
  return call.answer(decided.result);
}

const ends: (() => void | Promise<void>)[] = [];

export function atEnd(end: () => void | Promise<void>): void {
  ends.push(end);
}

export async function endAll(): Promise<void> {
  for (const end of ends.splice(0)) await end();
}
