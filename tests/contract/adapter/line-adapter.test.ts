/** The adapter contract holds for the example that users of the package can copy, and wrong adapters fail the checks that they break. */
import { AssertionError } from "node:assert";
import { describe, expect, it } from "vitest";
import { LineAdapter } from "../../../docs/how-to/examples/line-tool/adapter.js";
import { openBench } from "../../../docs/how-to/examples/line-tool/bench.js";
import { asId, type PromptId } from "../../../src/model/ids.js";
import type { PromptEvent } from "../../../src/model/prompt.js";
import type { Reply } from "../../../src/model/answer/reply.js";
import type { InjectionGate, InjectionResult } from "../../../src/sdk/adapter.js";
import { adapterChecks } from "../../../src/compat/testing/adapter-kit.js";
import { registerChecks } from "../../support/register-checks.js";

registerChecks(
  "the example adapter",
  adapterChecks(() => openBench()),
);

/** Types before the step is on record. */
class Hasty extends LineAdapter {
  override injectReply(reply: Reply, gate: InjectionGate): Promise<InjectionResult> {
    this.typeLine(reply.value);
    return super.injectReply(reply, gate);
  }
}

/** Takes any answer for one to the open prompt. */
class Careless extends LineAdapter {
  #open: PromptEvent | null = null;

  override async detectPrompt(buffer: Uint8Array): Promise<PromptEvent | null> {
    return (this.#open = (await super.detectPrompt(buffer)) ?? this.#open);
  }

  override injectReply(reply: Reply, gate: InjectionGate): Promise<InjectionResult> {
    return super.injectReply({ ...reply, promptId: this.#open?.promptId ?? reply.promptId }, gate);
  }
}

class Wordy extends LineAdapter {
  override async detectPrompt(buffer: Uint8Array): Promise<PromptEvent | null> {
    const event = await super.detectPrompt(buffer);
    return event && { ...event, promptId: asId<PromptId>("1"), excerpt: "x".repeat(201), timestamp: "now" };
  }
}

class Greedy extends LineAdapter {
  override async terminateSession(): Promise<void> {
    await super.terminateSession((await this.snapshotContext()).sessionId);
  }
}

class Cheerful extends LineAdapter {
  override healthcheck(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

describe("an adapter that", () => {
  it.each([
    ["types before its step is recorded", Hasty, "types nothing when the step could not be recorded, and"],
    ["takes an answer to another prompt", Careless, "refuses an answer to a question that it does not have"],
    ["returns a prompt again", Careless, "gives the same prompt once"],
    ["breaks rules of events", Wordy, "raises a prompt that keeps every rule of the adapter spec"],
    ["ends the sessions of others", Greedy, "kills a deaf tool after its grace, and only its own session"],
    ["is always healthy", Cheerful, "starts a session, and is healthy from then on"],
  ])("%s fails its check", async (_, Wrong, title) => {
    const check = adapterChecks(() => openBench(new Wrong())).find(({ name }) => name.startsWith(title));
    await expect(check?.run()).rejects.toThrow(AssertionError);
  });
});
