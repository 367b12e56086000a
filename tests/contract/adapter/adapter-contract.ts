/** What every runtime behind the `Adapter` seam must do: the kit's checks, and what only its events show. */
import { afterEach, describe, expect, it } from "vitest";
import { asId, type SessionId } from "../../../src/model/ids.js";
import type { PromptEvent } from "../../../src/model/prompt.js";
import type { Reply } from "../../../src/model/answer/reply.js";
import type { Adapter, AdapterEvent } from "../../../src/sdk/adapter.js";
import type { AdapterBench } from "../../../src/compat/testing/adapter-bench.js";
import { adapterChecks, type AdapterLacks } from "../../../src/compat/testing/adapter-kit.js";
import { registerChecks } from "../../support/register-checks.js";
import { EightMethods } from "./eight-methods.js";

export interface AdapterHarness extends AdapterBench {
  readonly runtime: Adapter;
  readonly sessionId: SessionId;
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

function replyTo(event: PromptEvent, value: string): Reply {
  return {
    replyId: asId("33333333-3333-4333-8333-333333333333"),
    promptId: event.promptId,
    sessionId: event.sessionId,
    value,
    nonce: asId("0".repeat(32)),
    channelIdentity: asId("cli:local"),
    timestamp: new Date().toISOString(),
    newlinePolicy: "append",
  };
}

const granted = (): Promise<void> => Promise.resolve();

export function describeAdapterContract(
  name: string,
  make: () => Omit<AdapterHarness, "adapter">,
  lacks: AdapterLacks = {},
): void {
  const open = (): AdapterHarness => {
    const harness = make();
    return { ...harness, adapter: new EightMethods(harness.runtime) };
  };
  registerChecks(`the ${name} runtime as an adapter`, adapterChecks(open, lacks));

  describe(`the events of the ${name} runtime`, () => {
    const opened: AdapterHarness[] = [];
    afterEach(async () => {
      for (const harness of opened.splice(0)) await harness.dispose();
    });

    async function asked() {
      const harness = open();
      opened.push(harness);
      const events = reader(harness.runtime);
      await harness.runtime.startSession(harness.asks);
      const raised = await events.next("raised");
      if (raised?.kind !== "raised") throw new Error("nothing was asked");
      return { ...harness, event: raised.event, events };
    }

    it("withdraw nothing that was answered, and end with the tool", async () => {
      const { runtime, event, events } = await asked();
      await runtime.injectReply(replyTo(event, "2"), granted);
      expect(await events.next("withdrawn")).toBeNull();
    });

    it("raise a prompt anew whose answer could not be recorded", async () => {
      const { runtime, event, events } = await asked();
      const gate = () => Promise.reject(new Error("no hub"));
      expect(await runtime.injectReply(replyTo(event, "1"), gate)).toMatchObject({ stillAsked: false });
      const again = await events.next("raised");
      if (again?.kind !== "raised") throw new Error("it was not asked anew");
      expect(again.event.idempotencyKey).not.toBe(event.idempotencyKey);
    });

    it("withdraw a question that the person at the tool answered", async () => {
      const { event, events, answerLocally } = await asked();
      answerLocally();
      expect(await events.next("withdrawn")).toEqual({
        kind: "withdrawn",
        promptId: event.promptId,
        reason: "answered_locally",
      });
    });
  });
}
