/**
 * A worker with the protocol's semantics and one question: keeps it pending, raises it again after every reconnect, takes a reply
 * once, writes only after an acknowledged begin, and tells its result until that is acknowledged.
 */
import { createHash } from "node:crypto";
import { assertInvariant } from "../../../src/model/errors.js";
import type { PromptEvent } from "../../../src/model/prompt.js";
import type { Reply } from "../../../src/model/answer/reply.js";
import { makeEvent, RECEIPT } from "../../unit/hub/rig.js";
import { HubLine, isLost } from "./hub-line.js";
import { never, type WorldWorker, type World } from "./world.js";

/** What a worker does whose begin was lost: asks again, or gives the reply back. Both must be safe. */
export type AfterLostBegin = "asks_again" | "gives_back";

type Progress = "none" | "taken" | "written" | "given_back" | "told";

export class ModelWorker implements WorldWorker {
  readonly line: HubLine;
  readonly #world: World;
  readonly #afterLostBegin: AfterLostBegin;
  #epoch = 1;
  #event: PromptEvent = makeEvent(1);
  #nonceHash: string | null = null;
  #reply: Reply | null = null;
  #progress: Progress = "none";
  #busy = false;

  constructor(world: World, afterLostBegin: AfterLostBegin) {
    this.#world = world;
    this.#afterLostBegin = afterLostBegin;
    this.line = new HubLine(world, (method, params) => this.#serve(method, params));
  }

  get isDone(): boolean {
    return this.line.isDead || this.#progress === "told";
  }

  async reconnect(): Promise<void> {
    if (await this.line.open()) await this.#goOn();
  }

  #serve(method: string, params: unknown): unknown {
    if (method === "reply.deliver") return { accepted: this.#take(params as Reply) };
    if (method === "nonce.update") this.#nonceHash = (params as { nonceHash: string }).nonceHash;
    return {};
  }

  #take(reply: Reply): boolean {
    if (this.#reply?.replyId === reply.replyId) return true;
    const fits = createHash("sha256").update(reply.nonce).digest("hex") === this.#nonceHash;
    if (reply.promptId !== this.#event.promptId || this.#reply || !fits) return false;
    this.#reply = reply;
    this.#progress = "taken";
    void this.#goOn();
    return true;
  }

  /** Everything that is not told yet, in order, until it is or the connection goes. */
  async #goOn(): Promise<void> {
    if (this.#busy || this.line.isDead) return;
    this.#busy = true;
    try {
      await this.#raise();
      if (this.#progress === "taken") await this.#inject();
      if (this.#progress === "given_back") await this.#giveBack();
      if (this.#progress === "written") await this.#tellEnd();
    } catch (error) {
      if (!isLost(error)) throw error;
    } finally {
      this.#busy = false;
    }
    if (this.line.connected && this.#progress === "taken") await this.#goOn();
  }

  async #raise(): Promise<void> {
    if (this.#progress === "told") return;
    const { nonceHash } = await this.line.call("prompt.raise", this.#event as never);
    this.#nonceHash = nonceHash ?? this.#nonceHash;
  }

  async #inject(): Promise<void> {
    const reply = this.#currentReply();
    const { promptId, fingerprint } = this.#event;
    try {
      await this.line.call("injection.begin", {
        promptId,
        replyId: reply.replyId,
        route: "keys",
        fingerprint,
      });
    } catch (error) {
      if (isLost(error) && this.#afterLostBegin === "gives_back") this.#progress = "given_back";
      throw error;
    }
    await this.#world.write(this.#event, reply);
    if (this.line.isDead) await never();
    this.#progress = "written";
  }

  async #giveBack(): Promise<void> {
    const { replyId, promptId } = this.#currentReply();
    const rejection = { code: "not_recorded", text: "Not applied: the answer could not be recorded first." };
    const params = { promptId, replyId, rejection, stillAsked: true };
    const { state, nonceHash } = await this.line.call("reply.refuse", params);
    this.#reply = null;
    this.#progress = "none";
    this.#nonceHash = nonceHash ?? this.#nonceHash;
    if (state !== "failed") return;
    // The question still stands: asked anew, in a new epoch.
    this.#epoch += 1;
    this.#event = makeEvent(this.#epoch, { epoch: this.#epoch });
    await this.#raise();
  }

  async #tellEnd(): Promise<void> {
    const { replyId, promptId } = this.#currentReply();
    await this.line.call("injection.end", { promptId, replyId, receipt: { ...RECEIPT } });
    this.#progress = "told";
  }

  #currentReply(): Reply {
    assertInvariant(this.#reply, "no reply");
    return this.#reply;
  }
}
