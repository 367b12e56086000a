/** A session with a tool that is talked to, as tests make and read it: its events one by one, and all that it showed. */
import { asId, type SessionId } from "../../src/model/ids.js";
import type { PromptEvent } from "../../src/model/prompt.js";
import { systemClock } from "../../src/observe/clock.js";
import { systemRandom } from "../../src/observe/random.js";
import { sanitizeText } from "../../src/safety/safe-text.js";
import type { Adapter, AdapterEvent } from "../../src/sdk/adapter.js";

/** What such a session is given where a test does not care. */
export const ordinary = () => ({
  sessionId: asId<SessionId>(systemRandom.uuid()),
  tool: "scripted",
  environment: process.env,
  clock: systemClock,
  random: systemRandom,
  safeText: sanitizeText,
  version: "1.0.0",
  silenceMs: 60_000,
  resume: null,
  isAttended: true,
});

/** The runtime, not started. */
export interface Made<A extends Adapter> {
  readonly adapter: A;
  readonly sessionId: SessionId;
}

export interface ReadSession {
  /** The next event of that kind; null when there are no more. */
  readonly next: (kind: AdapterEvent["kind"]) => Promise<AdapterEvent | null>;
  /** The next question. */
  readonly raised: () => Promise<PromptEvent>;
  /** All that the session showed by now. */
  readonly shown: () => string;
  /** Ends the tool, if it has not ended. */
  readonly dispose: () => Promise<void>;
}

/** Of a session that has been started; there is one reader of it. */
export function readSession({ adapter, sessionId }: Made<Adapter & Complaining>): ReadSession {
  const events = adapter.events()[Symbol.asyncIterator]();
  let text = "";
  void (async () => {
    for await (const chunk of adapter.readStream()) text += Buffer.from(chunk).toString();
  })();
  const next: ReadSession["next"] = async (kind) => {
    for (;;) {
      const step: IteratorResult<AdapterEvent, unknown> = await events.next();
      if (step.done) return null;
      if (step.value.kind === kind) return step.value;
    }
  };
  return {
    next,
    raised: async () => {
      const event = await next("raised");
      if (event?.kind !== "raised") throw new Error(`nothing was asked: ${text} ${adapter.stderrTail}`);
      return event.event;
    },
    shown: () => text,
    dispose: async () => {
      if ((await adapter.snapshotContext()).ptyAlive) await adapter.terminateSession(sessionId);
    },
  };
}

interface Complaining {
  readonly stderrTail: string;
}
