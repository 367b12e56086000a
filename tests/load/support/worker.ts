/** A worker that puts in what it is told to, once a reply, and remembers it. */
import type { Hub } from "../../../src/hub/core/hub.js";
import type { PromptId, SessionId } from "../../../src/model/ids.js";
import type { Reply } from "../../../src/model/answer/reply.js";
import type { WorkerLink } from "../../../src/wire/connection-ends.js";
import { promptEvent } from "../../support/prompts.js";
import { RECEIPT } from "../../unit/hub/rig.js";

export class StormWorker implements WorkerLink {
  readonly replies: Reply[] = [];
  /** What was typed into the tool, by question; twice would be two entries. */
  readonly typed: { readonly promptId: PromptId; readonly value: string }[] = [];
  readonly withdrawn = new Set<PromptId>();
  readonly #core: Hub;
  readonly #caller: { readonly sessionId: SessionId };

  constructor(core: Hub, sessionId: SessionId) {
    this.#core = core;
    this.#caller = { sessionId };
  }

  call(method: string, params: unknown): Promise<never> {
    if (method === "reply.deliver") this.#take(params as Reply);
    return Promise.resolve({ accepted: true } as never);
  }

  async withdraw(promptId: PromptId): Promise<void> {
    const params = { promptId, reason: "answered_locally" as const };
    const { state } = await this.#core.handlers["prompt.withdraw"](params, this.#caller);
    if (state === "withdrawn") this.withdrawn.add(promptId);
  }

  #take(reply: Reply): void {
    if (this.replies.some(({ replyId }) => replyId === reply.replyId)) return;
    this.replies.push(reply);
    setImmediate(() => void this.#putIn(reply));
  }

  async #putIn({ promptId, replyId, value }: Reply): Promise<void> {
    const { fingerprint } = promptEvent();
    const begin = { promptId, replyId, route: "keys", fingerprint, endsTool: false } as const;
    const { state } = await this.#core.handlers["injection.begin"](begin, this.#caller);
    if (state !== "injecting") return;
    this.typed.push({ promptId, value });
    await this.#core.handlers["injection.end"]({ promptId, replyId, receipt: { ...RECEIPT } }, this.#caller);
  }
}
