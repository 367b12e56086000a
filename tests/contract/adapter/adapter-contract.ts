/** What every runtime behind the `Adapter` seam must do (adapter spec §2, §3.3). */
import { afterEach, describe, expect, it } from "vitest";
import { InvariantError } from "../../../src/model/errors.js";
import { asId, isUuid4, type ReplyId, type SessionId } from "../../../src/model/ids.js";
import { CONFIDENCE_FLOOR, type PromptEvent } from "../../../src/model/prompt.js";
import type { Reply } from "../../../src/model/answer/reply.js";
import type { Adapter, AdapterEvent } from "../../../src/sdk/adapter.js";
import { BaseAdapter } from "../../../src/compat/base-adapter.js";

export interface AdapterHarness {
  readonly adapter: Adapter;
  readonly sessionId: SessionId;
  /** Asks one question with at least two choices, then ends with code 0. What it was told stands in `told()`. */
  readonly asks: readonly string[];
  /** Never ends by itself, asks nothing, and ignores polite signals. */
  readonly deaf: readonly string[];
  readonly missing: readonly string[];
  readonly told: () => string | null;
  /** Answers the question that stands now as the person at the tool would. */
  readonly answerLocally: () => void;
  readonly dispose: () => Promise<void>;
}

const SNAPSHOT_KEYS = [
  "sessionId",
  "tool",
  "pid",
  "state",
  "uptimeSeconds",
  "promptCount",
  "lastOutputAgoSeconds",
  "ptyAlive",
  "waitsForInput",
  "troubles",
];

function replyTo(event: PromptEvent, value: string): Reply {
  return {
    replyId: asId<ReplyId>("33333333-3333-4333-8333-333333333333"),
    promptId: event.promptId,
    sessionId: event.sessionId,
    value,
    nonce: asId("0".repeat(32)),
    channelIdentity: asId("cli:local"),
    timestamp: new Date().toISOString(),
    newlinePolicy: "append",
  };
}

function reader(adapter: Adapter): { next(kind: AdapterEvent["kind"]): Promise<AdapterEvent | null> } {
  const iterator = adapter.events()[Symbol.asyncIterator]();
  return {
    async next(kind) {
      for (;;) {
        const step: IteratorResult<AdapterEvent, unknown> = await iterator.next();
        if (step.done) return null;
        if (step.value.kind === kind) return step.value;
      }
    },
  };
}

function requireBaseAdapter(adapter: Adapter): BaseAdapter {
  return new BaseAdapter(adapter, { detector: null, stuckTimeoutSeconds: 0.2 });
}

function isHealthy(adapter: Adapter): Promise<boolean> {
  return requireBaseAdapter(adapter).healthcheck();
}

const granted = (): Promise<void> => Promise.resolve();

export function describeAdapterContract(name: string, make: () => AdapterHarness): void {
  describe(`the ${name} runtime as an adapter`, () => {
    const open: AdapterHarness[] = [];
    const start = (): AdapterHarness => {
      const harness = make();
      open.push(harness);
      return harness;
    };
    afterEach(async () => {
      for (const harness of open.splice(0)) await harness.dispose();
    });

    async function asked(): Promise<
      AdapterHarness & { event: PromptEvent; events: ReturnType<typeof reader> }
    > {
      const harness = start();
      const events = reader(harness.adapter);
      await harness.adapter.startSession(harness.asks);
      const raised = await events.next("raised");
      if (raised?.kind !== "raised") throw new Error("nothing was asked");
      return { ...harness, event: raised.event, events };
    }

    it("starts a session under the id that it was given", async () => {
      const { adapter, sessionId, asks } = start();
      expect(await isHealthy(adapter)).toBe(false);
      expect(await adapter.startSession(asks)).toBe(sessionId);
      expect(await isHealthy(adapter)).toBe(true);
    });

    it("says plainly that an executable is missing", async () => {
      const { adapter, missing } = start();
      await expect((async () => adapter.startSession(missing))()).rejects.toMatchObject({
        code: "ATB_TOOL_NOT_FOUND",
      });
      expect(await isHealthy(adapter)).toBe(false);
    });

    it("raises a question that keeps every rule of the adapter spec", async () => {
      const { event, sessionId } = await asked();
      expect(isUuid4(event.promptId)).toBe(true);
      expect(event.sessionId).toBe(sessionId);
      expect(Buffer.byteLength(event.excerpt)).toBeLessThanOrEqual(200);
      expect(event.score).toBeGreaterThanOrEqual(CONFIDENCE_FLOOR.low);
      expect(event.choices.length).toBeGreaterThanOrEqual(2);
      expect(new Date(event.timestamp).toISOString()).toBe(event.timestamp);
      expect(event.idempotencyKey).toMatch(/^[0-9a-f]{64}$/);
    });

    it("puts exactly the chosen answer in, once, and says what it saw", async () => {
      const { adapter, event, told, events } = await asked();
      const result = await adapter.injectReply(replyTo(event, "2"), granted);
      expect(result).toMatchObject({ kind: "receipt", receipt: { outcome: "answered" } });
      expect(await adapter.injectReply(replyTo(event, "1"), granted)).toMatchObject({ kind: "refused" });
      expect(await events.next("withdrawn")).toBeNull();
      expect(told()).toBe("2");
    });

    it("writes nothing when the step could not be recorded, and asks anew", async () => {
      const { adapter, event, told, events } = await asked();
      const result = await adapter.injectReply(replyTo(event, "1"), () =>
        Promise.reject(new Error("no hub")),
      );
      expect(result).toMatchObject({
        kind: "refused",
        rejection: { code: "not_recorded" },
        stillAsked: false,
      });
      expect(told()).toBeNull();
      const again = await events.next("raised");
      if (again?.kind !== "raised") throw new Error("it was not asked anew");
      expect(again.event.idempotencyKey).not.toBe(event.idempotencyKey);
      expect(await adapter.injectReply(replyTo(again.event, "1"), granted)).toMatchObject({
        receipt: { outcome: "answered" },
      });
      expect(await events.next("withdrawn")).toBeNull(); // until the tool ended: then it has told all
      expect(told()).toBe("1");
    });

    it("refuses an answer to a question that it does not have", async () => {
      const { adapter, event, told } = await asked();
      const other = {
        ...event,
        promptId: asId<PromptEvent["promptId"]>("44444444-4444-4444-8444-444444444444"),
      };
      expect(await adapter.injectReply(replyTo(other, "1"), granted)).toMatchObject({ kind: "refused" });
      expect(told()).toBeNull();
    });

    it("withdraws a question that the person at the tool answered", async () => {
      const { event, events, answerLocally } = await asked();
      answerLocally();
      expect(await events.next("withdrawn")).toEqual({
        kind: "withdrawn",
        promptId: event.promptId,
        reason: "answered_locally",
      });
    });

    it("tells its snapshot with the adapter spec's keys", async () => {
      const { adapter, sessionId } = await asked();
      const snapshot = await adapter.snapshotContext();
      expect(Object.keys(snapshot)).toEqual(expect.arrayContaining(SNAPSHOT_KEYS));
      expect(snapshot).toMatchObject({
        sessionId,
        state: "awaiting_response",
        promptCount: 1,
        ptyAlive: true,
        waitsForInput: true,
        troubles: [],
      });
    });

    it("awaits input once the tool has asked and been quiet for the stuck timeout", async () => {
      const { adapter } = await asked();
      await expect.poll(() => requireBaseAdapter(adapter).awaitInputState()).toBe(true);
    });

    it("ends its stream, its events and its health with the tool", async () => {
      const { adapter, asks, answerLocally } = start();
      const output: Uint8Array[] = [];
      await adapter.startSession(asks);
      const streamed = (async () => {
        for await (const chunk of adapter.readStream()) output.push(chunk);
      })();
      for await (const event of adapter.events()) if (event.kind === "raised") answerLocally();
      await streamed;
      expect(Buffer.concat(output).length).toBeGreaterThan(0);
      expect(await isHealthy(adapter)).toBe(false);
      expect(await requireBaseAdapter(adapter).awaitInputState()).toBe(false);
      expect(await adapter.snapshotContext()).toMatchObject({
        state: "done",
        ptyAlive: false,
        troubles: ["not_running"],
      });
    });

    it("kills a deaf tool after its grace, and only its own session", async () => {
      const { adapter, deaf, sessionId } = start();
      await adapter.startSession(deaf);
      for await (const chunk of adapter.readStream()) if (chunk.length > 0) break;
      await expect(adapter.terminateSession(asId<SessionId>("another"))).rejects.toThrow(InvariantError);
      await adapter.terminateSession(sessionId);
      expect(await isHealthy(adapter)).toBe(false);
    });
  });
}
