/** Adapters that break the contract fail the checks that they break. */
import { AssertionError } from "node:assert";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { LineAdapter } from "../../../docs/how-to/examples/line-tool/adapter.js";
import { openBench } from "../../../docs/how-to/examples/line-tool/bench.js";
import { asId, type PromptId } from "../../../src/model/ids.js";
import type { PromptEvent } from "../../../src/model/prompt.js";
import type { Reply } from "../../../src/model/answer/reply.js";
import type { InjectionGate, InjectionResult } from "../../../src/sdk/adapter.js";
import { adapterChecks } from "../../../src/compat/testing/adapter-kit.js";

const CLAIMED: InjectionResult = {
  kind: "receipt",
  receipt: {
    outcome: "answered",
    proof: "effect",
    route: "keys",
    evidence: "nothing was looked at",
    bytesWritten: 2,
    fingerprintBefore: null,
    fingerprintAfter: null,
    endsTool: false,
  },
};

class TypesAtOnce extends LineAdapter {
  override injectReply(reply: Reply, gate: InjectionGate): Promise<InjectionResult> {
    this.typeLine(reply.value);
    return super.injectReply(reply, gate);
  }
}

class TypesBeforeTheGate extends LineAdapter {
  override injectReply(reply: Reply, gate: InjectionGate, halt?: AbortSignal): Promise<InjectionResult> {
    return super.injectReply(reply, (plan) => Promise.race([gate(plan), pause(50)]), halt);
  }
}

class TypesTwice extends LineAdapter {
  override async injectReply(...given: Parameters<LineAdapter["injectReply"]>): Promise<InjectionResult> {
    const result = await super.injectReply(...given);
    setTimeout(() => this.typeLine(given[0].value), 20);
    return result;
  }
}

class TypesAnyValue extends LineAdapter {
  override async injectReply(reply: Reply, gate: InjectionGate): Promise<InjectionResult> {
    const result = await super.injectReply(reply, gate);
    if (result.kind === "receipt" || !result.stillAsked) return result;
    await gate({ endsTool: false, route: "keys" });
    this.typeLine(reply.value);
    return CLAIMED;
  }
}

class TypesWhatItRefuses extends LineAdapter {
  override async injectReply(reply: Reply, gate: InjectionGate): Promise<InjectionResult> {
    const result = await super.injectReply(reply, gate);
    if (result.kind === "refused" && result.stillAsked) this.typeLine(reply.value);
    return result;
  }
}

class LooksAtNothing extends LineAdapter {
  override async injectReply(reply: Reply, gate: InjectionGate): Promise<InjectionResult> {
    await gate({ endsTool: false, route: "keys" });
    this.typeLine(reply.value);
    return CLAIMED;
  }
}

class IgnoresHalts extends LineAdapter {
  override injectReply(reply: Reply, gate: InjectionGate): Promise<InjectionResult> {
    return super.injectReply(reply, gate);
  }
}

class AlwaysAppends extends LineAdapter {
  override injectReply(reply: Reply, gate: InjectionGate, halt?: AbortSignal): Promise<InjectionResult> {
    return super.injectReply({ ...reply, newlinePolicy: "append" }, gate, halt);
  }
}

class NeverAppends extends LineAdapter {
  override injectReply(reply: Reply, gate: InjectionGate, halt?: AbortSignal): Promise<InjectionResult> {
    return super.injectReply({ ...reply, newlinePolicy: "none" }, gate, halt);
  }
}

class SeesPromptsEverywhere extends LineAdapter {
  override detectPrompt(buffer: Uint8Array): Promise<PromptEvent | null> {
    return super.detectPrompt(Buffer.concat([buffer, Buffer.from("Continue? (y/n) ")]));
  }
}

/** Takes any answer for one to the open prompt. */
class ForgetsTheQuestion extends LineAdapter {
  #open: PromptEvent | null = null;

  override async detectPrompt(buffer: Uint8Array): Promise<PromptEvent | null> {
    return (this.#open = (await super.detectPrompt(buffer)) ?? this.#open);
  }

  override injectReply(reply: Reply, gate: InjectionGate): Promise<InjectionResult> {
    return super.injectReply({ ...reply, promptId: this.#open?.promptId ?? reply.promptId }, gate);
  }
}

class BreaksEventRules extends LineAdapter {
  override async detectPrompt(buffer: Uint8Array): Promise<PromptEvent | null> {
    const event = await super.detectPrompt(buffer);
    return event && { ...event, promptId: asId<PromptId>("1"), excerpt: "x".repeat(201), timestamp: "now" };
  }
}

class EndsAnySession extends LineAdapter {
  override async terminateSession(): Promise<void> {
    const { pid } = await this.snapshotContext();
    if (pid !== null) process.kill(pid, "SIGKILL");
  }
}

class IsAlwaysHealthy extends LineAdapter {
  override healthcheck(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

/** The check of that name, of the example's bench with this adapter. */
function findCheck(name: string, adapter?: LineAdapter): () => Promise<void> {
  const check = adapterChecks(() => openBench(adapter)).find((each) => each.name === name);
  if (!check) throw new Error(`there is no check ${name}`);
  return check.run;
}

const UNRECORDED = "types nothing when the step could not be recorded, and can still be answered";
const CHOICES = "types no choice that the question does not have, and can still be answered";
const TEXTS = "types no text of several lines, and none that is too long";

describe("an adapter that", () => {
  it.each<[string, new () => LineAdapter, string, RegExp]>([
    ["types at once", TypesAtOnce, UNRECORDED, /not_recorded|must not type/],
    [
      "types before its gate",
      TypesBeforeTheGate,
      "types nothing until the step is recorded",
      /before the step/,
    ],
    ["types an answer again", TypesTwice, "types an answer once", /'2\\n2' !== '2'/],
    ["types a choice that there is not", TypesAnyValue, CHOICES, /"0", of 1 characters, is no legal answer/],
    ["types several lines", TypesAnyValue, TEXTS, /"2\\n1", of 3 characters, is no legal answer/],
    ["types a value and then refuses it", TypesWhatItRefuses, TEXTS, /must not type/],
    [
      "claims what it has not seen",
      LooksAtNothing,
      "claims no effect that there was not",
      /has read nothing/,
    ],
    [
      "ignores a halt",
      IgnoresHalts,
      "types nothing once it is halted, and can still be answered",
      /after the halt/,
    ],
    [
      "adds a line end always",
      AlwaysAppends,
      "adds nothing to an answer under the newline policy none",
      /'2\\n' !== '2'/,
    ],
    [
      "adds no line end",
      NeverAppends,
      "ends an answer with a line end under the newline policy append",
      /'2' !== '2\\n'/,
    ],
    [
      "sees a prompt in any output",
      SeesPromptsEverywhere,
      "raises no prompt of a tool that asks nothing",
      /has asked nothing/,
    ],
    [
      "takes an answer to another prompt",
      ForgetsTheQuestion,
      "refuses an answer to a question that it does not have",
      /refused/,
    ],
    ["returns a prompt again", ForgetsTheQuestion, "gives the same prompt once", /null/],
    [
      "breaks rules of events",
      BreaksEventRules,
      "raises a prompt that keeps every rule of the adapter spec",
      /no UUID v4/,
    ],
    [
      "ends the sessions of others",
      EndsAnySession,
      "kills a deaf tool after its grace, and only its own session",
      /rejection/,
    ],
    [
      "is always healthy",
      IsAlwaysHealthy,
      "starts a session, and is healthy from then on",
      /healthy before its start/,
    ],
  ])("%s fails its check", async (_, Wrong, name, message) => {
    const failure: unknown = await findCheck(name, new Wrong())().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AssertionError);
    expect((failure as AssertionError).message).toMatch(message);
  });
});
