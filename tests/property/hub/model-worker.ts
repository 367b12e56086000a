/**
 * A worker with the protocol's semantics and one question: keeps it pending, raises it again after every reconnect, takes a reply
 * once, writes only after an acknowledged begin, and tells its result until that is acknowledged.
 */
import { createHash } from "node:crypto";
import { invariant } from "../../../src/model/errors.js";
import type { IdempotencyKey } from "../../../src/model/ids.js";
import type { PromptEvent } from "../../../src/model/prompt.js";
import type { Reply } from "../../../src/model/reply.js";
import type { HubCalls, ParamsOf, ResultOf } from "../../../src/wire/messages.js";
import { eventOf, RECEIPT, SESSION, sessionParams } from "../../unit/hub/rig.js";
import { never, type HubLife, type World } from "./world.js";

/** What a worker does whose begin was lost: asks again, or gives the reply back. Both must be safe. */
export type AfterLostBegin = "ask_again" | "give_back";

class Lost extends Error {}

interface Connection {
  readonly life: HubLife;
  alive: boolean;
}

type Progress = "none" | "taken" | "written" | "given_back" | "told";

export class ModelWorker {
  /** One entry for each time that bytes went into the tool, with what the disk said at that instant. */
  readonly writes: { readonly key: IdempotencyKey; readonly recorded: boolean }[] = [];
  isDead = false;
  readonly #world: World;
  readonly #afterLostBegin: AfterLostBegin;
  #connection: Connection | null = null;
  #epoch = 1;
  #event: PromptEvent = eventOf(1);
  #nonceHash: string | null = null;
  #reply: Reply | null = null;
  #progress: Progress = "none";
  #busy = false;

  constructor(world: World, afterLostBegin: AfterLostBegin) {
    this.#world = world;
    this.#afterLostBegin = afterLostBegin;
  }

  get isDone(): boolean {
    return this.isDead || this.#progress === "told";
  }

  kill(): void {
    this.isDead = true;
    this.connectionLost();
  }

  connectionLost(): void {
    const connection = this.#connection;
    this.#connection = null;
    if (!connection) return;
    connection.alive = false;
    if (!connection.life.isDead()) connection.life.core.disconnected(SESSION);
  }

  /** Opens the session on a new connection, if there is none, and tells all that is open. */
  async reconnect(): Promise<void> {
    const life = this.#world.hub;
    if (this.isDead || this.#connection?.alive || !life || life.isDead()) return;
    const connection: Connection = { life, alive: true };
    this.#connection = connection;
    try {
      await this.#call("session.open", sessionParams());
      if (connection.alive)
        life.core.connected(SESSION, { call: (...call) => this.#serve(connection, ...call) });
      await this.#goOn();
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
    }
  }

  async #call<
    M extends "session.open" | "prompt.raise" | "reply.refuse" | "injection.begin" | "injection.end",
  >(method: M, params: ParamsOf<HubCalls, M>): Promise<ResultOf<HubCalls, M>> {
    const connection = this.#connection;
    if (!connection) throw new Lost();
    this.#world.step(`${method} is sent`);
    await this.#survive(connection);
    const handler = connection.life.core.handlers[method] as (
      p: unknown,
      c: unknown,
    ) => ResultOf<HubCalls, M>;
    let result: ResultOf<HubCalls, M>;
    try {
      result = handler(params, { sessionId: SESSION });
    } catch (error) {
      if (connection.alive) throw error;
      throw new Lost();
    }
    this.#world.step(`${method} is acknowledged`);
    await this.#survive(connection);
    return result;
  }

  async #survive(connection: Connection): Promise<void> {
    if (this.isDead) await never();
    if (!connection.alive) throw new Lost();
  }

  /** The hub's calls. */
  async #serve(connection: Connection, method: string, params: unknown): Promise<never> {
    await this.#hop(connection, `${method} is sent`);
    if (method === "nonce.update") this.#nonceHash = (params as { nonceHash: string }).nonceHash;
    const accepted = method !== "reply.deliver" || this.#take(params as Reply);
    await this.#hop(connection, `${method} is acknowledged`);
    return { accepted } as never;
  }

  async #hop(connection: Connection, name: string): Promise<void> {
    if (connection.life.isDead()) await never();
    if (connection.alive) this.#world.step(name);
    if (connection.life.isDead()) await never();
    if (!connection.alive || this.isDead) throw new Lost();
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
    if (this.#busy || this.isDead) return;
    this.#busy = true;
    try {
      await this.#raise();
      if (this.#progress === "taken") await this.#inject();
      if (this.#progress === "given_back") await this.#giveBack();
      if (this.#progress === "written") await this.#tellEnd();
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
    } finally {
      this.#busy = false;
    }
    if (this.#connection?.alive && this.#progress === "taken") await this.#goOn();
  }

  async #raise(): Promise<void> {
    if (this.#progress === "told") return;
    const { nonceHash } = await this.#call("prompt.raise", this.#event as never);
    this.#nonceHash = nonceHash ?? this.#nonceHash;
  }

  async #inject(): Promise<void> {
    const reply = this.#currentReply();
    const { promptId, fingerprint } = this.#event;
    try {
      await this.#call("injection.begin", { promptId, replyId: reply.replyId, route: "keys", fingerprint });
    } catch (error) {
      if (error instanceof Lost && this.#afterLostBegin === "give_back") this.#progress = "given_back";
      throw error;
    }
    this.#world.step("the bytes are about to be written");
    if (this.isDead) await never();
    this.writes.push({ key: this.#event.idempotencyKey, recorded: this.#isRecorded(reply) });
    this.#progress = "written";
    this.#world.step("the bytes are written");
    if (this.isDead) await never();
  }

  #isRecorded(reply: Reply): boolean {
    const sql = `SELECT 1 FROM injections JOIN audit ON audit.position = audit_position
      WHERE reply_id = ? AND step = 'injection_began' AND ended_at IS NULL`;
    return this.#world.read(sql, reply.replyId).length === 1;
  }

  async #giveBack(): Promise<void> {
    const { replyId, promptId } = this.#currentReply();
    const rejection = { code: "not_recorded", text: "Not applied: the answer could not be recorded first." };
    const params = { promptId, replyId, rejection, stillAsked: true };
    const { state, nonceHash } = await this.#call("reply.refuse", params);
    this.#reply = null;
    this.#progress = "none";
    this.#nonceHash = nonceHash ?? this.#nonceHash;
    if (state !== "failed") return;
    // The question still stands: asked anew, in a new epoch (design §5).
    this.#epoch += 1;
    this.#event = eventOf(this.#epoch, { epoch: this.#epoch });
    await this.#raise();
  }

  async #tellEnd(): Promise<void> {
    const { replyId, promptId } = this.#currentReply();
    await this.#call("injection.end", { promptId, replyId, receipt: { ...RECEIPT } });
    this.#progress = "told";
  }

  #currentReply(): Reply {
    invariant(this.#reply, "no reply");
    return this.#reply;
  }
}
